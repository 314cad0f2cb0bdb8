<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony\Command;

use RedisRateLimit\Policy;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;

/**
 * A command about one tenant's budget of one policy.
 *
 * @template Answer of array
 *
 * @extends PolicyCommand<Answer>
 */
abstract class TenantCommand extends PolicyCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->addArgument('policy', InputArgument::REQUIRED, 'Name of a policy')
            ->addArgument('tenant', InputArgument::REQUIRED, 'As it was charged: "user:42", "tenant:acme", "ip:192.0.2.7", "key:…" or the application\'s own')
            ->addArgument('scope', InputArgument::OPTIONAL, 'Part of the budget', 'global');
    }

    /** @return array{Policy, string, string} policy, tenant and scope, as Limiter takes them */
    protected function subject(InputInterface $input): array
    {
        return [$this->policies->get($input->getArgument('policy')), $input->getArgument('tenant'), $input->getArgument('scope')];
    }
}
