<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

/** The server block of nginx by which the example site's dashboard is seen, on a port of this machine. */
final readonly class DashboardBlock
{
    /** How to open it. */
    public static function told(int $port, string $secret): string
    {
        return "its dashboard at http://127.0.0.1:$port/dashboard, with any user and the password $secret: from "
            . "another machine open it through `ssh -L $port:127.0.0.1:$port HOST`.";
    }

    public static function of(int $port, string $socket, string $script): string
    {
        return <<<NGINX
            server {
                listen 127.0.0.1:{$port};
                server_name localhost 127.0.0.1;
                location = /dashboard {
                    include /etc/nginx/fastcgi_params;
                    fastcgi_param HTTP_PROXY "";
                    fastcgi_param SCRIPT_FILENAME {$script};
                    fastcgi_pass unix:{$socket};
                }
            }

            NGINX;
    }
}
