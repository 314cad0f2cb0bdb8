<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use RedisRateLimit\Symfony\RedisRateLimitBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Bundle\WebProfilerBundle\WebProfilerBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** A small application of a folder that holds its configuration, config.yaml, and its caches. Our bundle is in where the configuration has it. */
final class Application extends Kernel
{
    use MicroKernelTrait;

    /** @param bool $full with security, Twig and the web profiler, in debug mode */
    public function __construct(private readonly string $directory, private readonly bool $full = false)
    {
        parent::__construct('test', $full);
    }

    /** Containers of one environment are one class: each application of a test needs its own. */
    protected function getContainerClass(): string
    {
        return parent::getContainerClass() . hash('crc32b', $this->directory);
    }

    public function registerBundles(): iterable
    {
        yield new FrameworkBundle();
        if ($this->full) {
            yield new TwigBundle();
            yield new SecurityBundle();
            yield new WebProfilerBundle();
        }
        if (str_contains(file_get_contents("{$this->directory}/config.yaml"), 'redis_rate_limit:')) {
            yield new RedisRateLimitBundle();
        }
    }

    public function getProjectDir(): string
    {
        return $this->directory;
    }

    public function getCacheDir(): string
    {
        return $this->directory . '/cache';
    }

    public function getLogDir(): string
    {
        return $this->directory . '/log';
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 's', 'test' => true, 'http_method_override' => false, 'router' => ['utf8' => true]]);
        if ($this->full) {
            FullStack::configure($container);
        }
        $services = $container->services()->defaults()->autowire()->autoconfigure();
        $services->set(RecordingLogger::class)->public();
        $services->alias('logger', RecordingLogger::class);
        $services->set(Listener::class)->public();
        $services->set(HeaderTenant::class);
        $services->set(Controller::class)->public()->tag('controller.service_arguments');
        // Without the tag, for the attributes of those that have it must be right, and not every test has their policies.
        $services->set('app.controller', ServiceController::class)->public();
        foreach ([LimitedController::class, InvokableController::class] as $controller) {
            $services->set($controller)->public();
        }
        $container->import($this->directory . '/config.yaml');
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        foreach (['hello', 'missing', 'broken', 'guarded', 'template', 'fragment', 'optional', 'unavailable', 'parent', 'login'] as $page) {
            $routes->add($page, "/$page")->controller([Controller::class, $page]);
        }
        $routes->add('tenant', '/t/{tenant_id}')->controller([Controller::class, 'hello']);
        $routes->add('export', '/export/{project}')->controller([LimitedController::class, 'export']);
        $routes->add('file', '/files/{name}')->controller([LimitedController::class, 'file']);
        $routes->add('limited', '/limited')->controller([LimitedController::class, 'plain']);
        $routes->add('own', '/own')->controller([LimitedController::class, 'own']);
        $routes->add('invokable', '/invokable')->controller(InvokableController::class);
        $routes->add('service', '/service')->controller('app.controller::page');
        if ($this->full) {
            FullStack::route($routes);
        }
    }
}
