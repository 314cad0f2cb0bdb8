<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony;

use RedisRateLimit\Tests\Support\MarkdownBlock;

/** The configuration of docs/migration.md, before and after: the same service says the same. */
final class MigrationTest extends SymfonyTestCase
{
    /** Private services are removed where nobody asks for them. */
    private const ASK = "services: { asked: { alias: limiter.api, public: true } }\n";

    public function testTheServiceKeepsItsNameAndItsAnswers(): void
    {
        $before = $this->answers(MarkdownBlock::with('docs/migration.md', 'yaml', 'framework:'));
        self::assertSame([], self::$redis->keys());

        self::assertSame($before, $this->answers(MarkdownBlock::with('docs/migration.md', 'yaml', 'redis_rate_limit:')));
        self::assertSame([[true, 2], [true, 1], [true, 0], [false, 0]], $before);
        self::assertSame(['rl:api:user:42:global'], self::$redis->keys());
    }

    /** @return list<array{bool, int}> */
    private function answers(string $yaml): array
    {
        $application = $this->application($yaml . self::ASK);
        $application->boot();
        $limiter = $application->getContainer()->get('asked')->create('user:42');
        $answers = [];
        for ($call = 1; $call <= 4; $call++) {
            $limit = $limiter->consume();
            $answers[] = [$limit->isAccepted(), $limit->getRemainingTokens()];
        }

        return $answers;
    }
}
