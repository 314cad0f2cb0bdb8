<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Symfony\App;

use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Component\Security\Core\User\PasswordAuthenticatedUserInterface;

/** Security with a login form, and the web profiler, in the words of each Symfony version. */
final class FullStack
{
    public static function configure(ContainerConfigurator $container): void
    {
        $session = ['storage_factory_id' => 'session.storage.factory.mock_file'];
        $container->extension('framework', [
            'session' => Kernel::MAJOR_VERSION < 8 ? $session + ['handler_id' => null] : $session,
            'profiler' => ['collect' => true],
        ]);
        $container->extension('twig', ['strict_variables' => true]);
        $container->extension('web_profiler', ['toolbar' => true, 'intercept_redirects' => false]);
        $container->extension('security', (Kernel::MAJOR_VERSION < 6 ? ['enable_authenticator_manager' => true] : []) + [
            'password_hashers' => [PasswordAuthenticatedUserInterface::class => 'plaintext'],
            'providers' => ['memory' => ['memory' => ['users' => ['bob' => ['password' => 'right', 'roles' => ['ROLE_USER']]]]]],
            'firewalls' => [
                'dev' => ['pattern' => '^/_(profiler|wdt)', 'security' => false],
                'main' => [
                    'lazy' => true,
                    'provider' => 'memory',
                    'entry_point' => 'form_login',
                    'http_basic' => true,
                    'form_login' => ['login_path' => '/login', 'check_path' => '/login', 'enable_csrf' => false],
                ],
            ],
        ]);
    }

    public static function route(RoutingConfigurator $routes): void
    {
        $directory = '/usr/share/php/Symfony/Bundle/WebProfilerBundle/Resources/config/routing';
        $format = is_file("$directory/wdt.php") ? 'php' : 'xml';
        $routes->import("$directory/wdt.$format")->prefix('/_wdt');
        $routes->import("$directory/profiler.$format")->prefix('/_profiler');
    }
}
