<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\DependencyInjection;

use RedisRateLimit\Limiter;
use RedisRateLimit\Policies;
use RedisRateLimit\Symfony\Command\HistoryCommand;
use RedisRateLimit\Symfony\Command\PeekCommand;
use RedisRateLimit\Symfony\Command\PingCommand;
use RedisRateLimit\Symfony\Command\PoliciesCommand;
use RedisRateLimit\Symfony\Command\ResetCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Reference;

/** The commands `ratelimit:*`, where symfony/console is installed. */
final class CommandServices
{
    public static function register(ContainerBuilder $container): void
    {
        if (!class_exists(Command::class)) {
            return;
        }
        foreach ([PoliciesCommand::class, PeekCommand::class, ResetCommand::class, HistoryCommand::class, PingCommand::class] as $command) {
            $container->register($command, $command)
                ->setArguments([new Reference(Policies::class), new Reference(Limiter::class)])
                ->addTag('console.command', ['command' => $command::NAME, 'description' => $command::DESCRIPTION]);
        }
    }
}
