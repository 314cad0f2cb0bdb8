<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** A real nginx on a free port that hands every request to one script in an FPM pool. */
final class Nginx
{
    public readonly int $port;

    private readonly TemporaryDirectory $directory;
    private readonly Process $process;

    public function __construct(FpmPool $pool, string $script)
    {
        $this->port = Port::free();
        $this->directory = new TemporaryDirectory('ratelimit-nginx');
        $config = $this->directory->write('nginx.conf', $this->configuration($pool->socket, realpath($script)));
        $this->process = Process::start(
            ['/usr/sbin/nginx', '-c', $config, '-e', "{$this->directory->path}/errors", '-p', $this->directory->path],
            $this->directory->path . '/output',
        );
        $this->process->waitUntil(fn () => is_resource(@fsockopen('127.0.0.1', $this->port)));
    }

    public function url(string $path = '/'): string
    {
        return "http://127.0.0.1:{$this->port}$path";
    }

    public function stop(): void
    {
        $this->process->stop();
    }

    private function configuration(string $socket, string $script): string
    {
        // The folder is ours alone; nginx's workers would else be another user.
        $user = posix_geteuid() === 0 ? 'user root;' : '';

        return <<<CONF
            $user
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path body; fastcgi_temp_path fastcgi;
                proxy_temp_path proxy; scgi_temp_path scgi; uwsgi_temp_path uwsgi;
                server {
                    listen 127.0.0.1:{$this->port} backlog=4096;
                    location / {
                        fastcgi_pass unix:$socket;
                        fastcgi_param SCRIPT_FILENAME $script;
                        fastcgi_param SCRIPT_NAME /index.php;
                        fastcgi_param REQUEST_METHOD \$request_method;
                        fastcgi_param REQUEST_URI \$request_uri;
                        fastcgi_param QUERY_STRING \$query_string;
                        fastcgi_param CONTENT_TYPE \$content_type;
                        fastcgi_param CONTENT_LENGTH \$content_length;
                        fastcgi_param SERVER_PROTOCOL \$server_protocol;
                        fastcgi_param SERVER_NAME \$host;
                        fastcgi_param SERVER_PORT \$server_port;
                        fastcgi_param REMOTE_ADDR \$remote_addr;
                    }
                }
            }
            CONF;
    }
}
