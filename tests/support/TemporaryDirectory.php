<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** A folder of its own under the system's temporary one, removed with the object. Short: it holds unix sockets. */
final class TemporaryDirectory
{
    public readonly string $path;

    private readonly int $owner;

    public function __construct(string $prefix = 'ratelimit')
    {
        $this->owner = getmypid();
        $this->path = sprintf('%s/%s-%d-%s', sys_get_temp_dir(), $prefix, $this->owner, bin2hex(random_bytes(4)));
        mkdir($this->path, 0700);
        $weak = \WeakReference::create($this);
        register_shutdown_function(static fn () => $weak->get()?->remove());
    }

    /** Writes a file into it and returns its path. */
    public function write(string $name, string $content): string
    {
        file_put_contents("{$this->path}/$name", $content);

        return "{$this->path}/$name";
    }

    public function remove(): void
    {
        if ($this->owner !== getmypid() || !is_dir($this->path)) {
            return;
        }
        $files = new \RecursiveIteratorIterator(
            new \RecursiveDirectoryIterator($this->path, \FilesystemIterator::SKIP_DOTS),
            \RecursiveIteratorIterator::CHILD_FIRST,
        );
        foreach ($files as $file) {
            $file->isDir() && !$file->isLink() ? @rmdir($file->getPathname()) : @unlink($file->getPathname());
        }
        @rmdir($this->path);
    }

    public function __destruct()
    {
        $this->remove();
    }
}
