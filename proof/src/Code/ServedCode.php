<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Larder\Code\Releases;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use RuntimeException;

/** An nginx and a php-fpm that serve the release of a host, and eight readers that ask for one page all the time. */
final class ServedCode
{
    public const READERS = 8;

    /** Files of the page beside the first. */
    public const PARTS = 4;

    private readonly PhpFpm $php;
    private readonly Nginx $nginx;
    private readonly WorkerPool $readers;
    private readonly string $script;
    private readonly Findings $errors;

    public function __construct(string $directory, private readonly Releases $releases, private readonly Board $board)
    {
        mkdir($directory);
        $account = Account::of('root');
        $this->php = new PhpFpm($directory, $account, 8, ini: [], startup: [
            'opcache.validate_timestamps' => '0',
            'opcache.memory_consumption' => '256',
            'opcache.max_accelerated_files' => '100000',
        ]);
        $user = posix_geteuid() === 0 ? "user root;\n" : '';
        $this->nginx = new Nginx($directory . '/nginx', fn(int $port): string => $user . <<<NGINX
            worker_processes 1; pid {$directory}/nginx/nginx.pid; error_log {$directory}/nginx/error.log;
            events { worker_connections 256; }
            http {
                access_log off;
                client_body_temp_path {$directory}/nginx/body; fastcgi_temp_path {$directory}/nginx/fastcgi;
                proxy_temp_path {$directory}/nginx/proxy; uwsgi_temp_path {$directory}/nginx/uwsgi;
                scgi_temp_path {$directory}/nginx/scgi;
                server {
                    listen 127.0.0.1:$port;
                    root {$this->releases->directory}/current/public;
                    location / {
                        fastcgi_pass unix:{$this->php->socket};
                        fastcgi_param REQUEST_METHOD \$request_method;
                        fastcgi_param SCRIPT_FILENAME \$realpath_root/index.php;
                    }
                }
            }
            NGINX);
        $this->script = $directory . '/warm.php';
        copy(\dirname(__DIR__, 3) . '/packages/console/bin/warm.php', $this->script);
        $this->errors = new Findings($directory . '/errors');
        $this->readers = new WorkerPool($this->read(...));
    }

    public function start(): void
    {
        $this->readers->fill(self::READERS);
    }

    /** Compiles a release, as `larder code:warm` does. */
    public function warm(string $release): void
    {
        $parts = (new FastCgi($this->php->socket, $this->script, 30))->parts('', '/warm.php', [
            'LARDER_CODE_LIST' => "{$this->releases->directory}/manifests/$release.list",
            'LARDER_CODE_DIRECTORY' => $this->releases->path($release),
            'LARDER_CODE_FROM' => '0',
        ]);
        $said = json_decode($parts[1] ?? '', true);
        if (!\is_array($said) || ($said['compiled'] ?? 0) !== self::PARTS + 1) {
            throw new RuntimeException("Warming of $release said: " . ($parts[1] ?? 'nothing'));
        }
    }

    /** @return list<string> answers that were errors, and why readers ended that should not have */
    public function stop(): array
    {
        $this->board->set('end', 1);
        $bad = $this->errors->all();
        foreach ($this->readers->end(20.0) as $end) {
            if (!$end->finished) {
                $bad[] = $end->reason();
            }
        }
        $this->kill();

        return $bad;
    }

    public function kill(): void
    {
        $this->readers->killAll();
        $this->nginx->stop();
        $this->php->stop();
    }

    /**
     * The files of a release: each gives its number, and some wait between two.
     *
     * @param string $above PHP expression for the directory of the release
     *
     * @return array<string, string> bytes by path
     */
    public static function files(int $number, string $above = '__DIR__ . "/.."'): array
    {
        $files = ['public/index.php' => "<?php\n\$seen = [$number];\n"];
        for ($part = 0; $part < self::PARTS; ++$part) {
            $files['public/index.php'] .= "if (hrtime(true) % 3 === 0) { usleep(2000); }\n"
                . "\$seen[] = require $above . '/src/part$part.php';\n";
            $files["src/part$part.php"] = "<?php\nreturn $number;\n";
        }
        $files['public/index.php'] .= "echo implode(' ', \$seen);\n";

        return $files;
    }

    private function read(int $number): void
    {
        $connection = new Connection('127.0.0.1:' . $this->nginx->port());
        while ($this->board->get('end') === 0) {
            $response = $connection->request('/');
            $this->board->add(Count::Requests, index: $number);
            $seen = $response === null || $response->status !== 200 ? [] : explode(' ', $response->body);
            if (\count($seen) !== self::PARTS + 1 || !ctype_digit($seen[0])) {
                $this->board->add(Count::Errors, index: $number);
                $this->errors->add($response === null ? 'no answer' : "$response->status: $response->body");
            } elseif (\count(array_unique($seen)) !== 1) {
                $this->board->add(Count::Mixes, index: $number);
            } else {
                $this->board->raise(Count::Highest, (int) $seen[0], $number);
            }
        }
    }
}
