<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use Psr\Log\AbstractLogger;

final class RecordingLogger extends AbstractLogger
{
    /** @var list<array{level: string, message: string, context: array<mixed>}> */
    public array $records = [];

    public function log($level, $message, array $context = []): void
    {
        $this->records[] = ['level' => (string) $level, 'message' => (string) $message, 'context' => $context];
    }

    /** @return list<string> */
    public function messages(string $level): array
    {
        return array_column(array_filter($this->records, static fn (array $record): bool => $record['level'] === $level), 'message');
    }
}
