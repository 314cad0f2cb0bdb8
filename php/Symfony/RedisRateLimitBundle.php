<?php

declare(strict_types=1);

namespace RedisRateLimit\Symfony;

use RedisRateLimit\Symfony\DependencyInjection\ControllerAttributesPass;
use RedisRateLimit\Symfony\DependencyInjection\ControllerClassesPass;
use RedisRateLimit\Symfony\DependencyInjection\FrameworkLimitersPass;
use RedisRateLimit\Symfony\DependencyInjection\TenantResolversPass;
use Symfony\Component\DependencyInjection\Compiler\PassConfig;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\HttpKernel\Bundle\Bundle;

/** Rate limits for Symfony 5.4 and newer: the configuration key is `redis_rate_limit`, its words are in Configuration. */
final class RedisRateLimitBundle extends Bundle
{
    public function build(ContainerBuilder $container): void
    {
        $container->addCompilerPass(new ControllerClassesPass(), PassConfig::TYPE_BEFORE_REMOVING);
        $container->addCompilerPass(new ControllerAttributesPass(), PassConfig::TYPE_BEFORE_REMOVING);
        $container->addCompilerPass(new TenantResolversPass());
        $container->addCompilerPass(new FrameworkLimitersPass());
    }
}
