<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** A real headless browser: what it makes of a page, as a document tree and as a picture. */
final class Chromium
{
    private const OFFLINE = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

    public readonly \DOMXPath $document;

    /** The screenshot. */
    public readonly \GdImage $picture;

    /** Opens $url, lets its scripts run and stops. */
    public function __construct(string $url)
    {
        $directory = new TemporaryDirectory('ratelimit-chromium');
        $html = $directory->path . '/page.html';
        $png = $directory->path . '/page.png';
        $asRoot = posix_geteuid() === 0 ? ['--no-sandbox'] : [];
        $command = ['timeout', '--signal=KILL', '60', 'chromium', '--headless', '--disable-gpu', ...$asRoot, ...self::OFFLINE,
            "--user-data-dir={$directory->path}/profile", '--window-size=1400,900', '--virtual-time-budget=5000', "--screenshot=$png", '--dump-dom', $url];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $html, 'w'], ['file', "{$directory->path}/log", 'w']], $pipes);
        $exit = proc_close($process);
        if ($exit !== 0 || !is_file($png)) {
            throw new \RuntimeException("chromium ended with $exit:\n" . file_get_contents("{$directory->path}/log"));
        }
        $document = new \DOMDocument();
        $document->loadHTML(file_get_contents($html), LIBXML_NOERROR);
        $this->document = new \DOMXPath($document);
        $this->picture = imagecreatefrompng($png);
    }

    /** @return list<string> the text of each node that the XPath expression finds, white space trimmed */
    public function texts(string $expression): array
    {
        return array_map(static fn (\DOMNode $node): string => trim($node->textContent), iterator_to_array($this->document->query($expression), false));
    }

    /** How many pixels of the screenshot have exactly this colour, such as 0xB0413E. */
    public function pixels(int $colour): int
    {
        $count = 0;
        for ($y = 0; $y < imagesy($this->picture); $y++) {
            for ($x = 0; $x < imagesx($this->picture); $x++) {
                $count += (int) ((imagecolorat($this->picture, $x, $y) & 0xFFFFFF) === $colour);
            }
        }

        return $count;
    }
}
