<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/**
 * The clock of a real Redis server, set to the microsecond: TIME, expiry and scripts follow it. The server maps a
 * file of eight bytes and reads its time from there (frozen_clock.c, preloaded).
 */
final class Clock
{
    private static ?TemporaryDirectory $build = null;

    private readonly TemporaryDirectory $directory;
    private readonly string $file;
    private int $now = 0;

    /** @param float $seconds Unix time that it shows at first */
    public function __construct(float $seconds)
    {
        $this->directory = new TemporaryDirectory('ratelimit-clock');
        $this->file = $this->directory->write('now', pack('q', 0));
        $this->set($seconds);
    }

    public function set(float $seconds): void
    {
        $this->setMicroseconds((int) round($seconds * 1e6));
    }

    public function setMicroseconds(int $now): void
    {
        $this->now = $now;
        // One write of eight bytes in place: the server never sees half of it, and its mapping stays valid.
        $file = fopen($this->file, 'r+');
        fwrite($file, pack('q', $now));
        fclose($file);
    }

    public function advance(float $seconds): void
    {
        $this->setMicroseconds($this->now + (int) round($seconds * 1e6));
    }

    public function microseconds(): int
    {
        return $this->now;
    }

    /** @return array<string, string> the environment of a process that lives by this clock */
    public function environment(): array
    {
        return ['LD_PRELOAD' => self::library(), 'FROZEN_CLOCK' => $this->file];
    }

    private static function library(): string
    {
        if (self::$build === null) {
            self::$build = new TemporaryDirectory('ratelimit-clock-build');
            $source = __DIR__ . '/frozen_clock.c';
            $command = sprintf('cc -O2 -Wall -shared -fPIC -o %s/clock.so %s 2>&1', self::$build->path, escapeshellarg($source));
            exec($command, $output, $status);
            if ($status !== 0) {
                throw new \RuntimeException("cannot build $source:\n" . implode("\n", $output));
            }
        }

        return self::$build->path . '/clock.so';
    }
}
