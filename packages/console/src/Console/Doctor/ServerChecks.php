<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Console\FastCgi;
use Larder\Console\HttpServer;
use Larder\Console\Refused;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\Files;
use Larder\Page\GuardedServers;
use Larder\Page\NginxConfig;
use Larder\Page\NginxModules;
use Larder\Page\NginxTarget;
use Larder\Page\Site;
use Larder\Sql\Exception\PageStoreFailed;
use RuntimeException;

/** @internal Asks the nginx and the php-fpm that run: a file says what should be, only a server says what is. */
final readonly class ServerChecks
{
    private const SECONDS = 5.0;

    private const MODULES = 'nginx has the modules srcache and memc';

    private const PRINT_AGAIN = 'print it again by larder nginx:config, and reload nginx';

    /**
     * @param string      $nginx address that nginx listens at, as HttpServer takes it
     * @param string|null $php   unix socket of php-fpm; null: the one that nginx has loaded
     */
    public function __construct(
        private Site $site,
        private string $nginx,
        private ?string $php,
    ) {}

    /** @return array{list<Check>, ProcessReport|null} what php-fpm says of itself; null: it did not */
    public function run(): array
    {
        [$checks, $target] = $this->nginx();
        $socket = $this->php ?? $target?->socket;
        if ($socket === null) {
            $remedy = 'it was not asked, since nginx does not tell its socket: name it by --php';

            return [[...$checks, Check::remark('php-fpm answers', $remedy)], null];
        }
        [$check, $report] = $this->php($socket);
        $checks[] = $check;
        if ($check->state !== 'failed' && $target !== null) {
            [$status] = $this->get(NginxConfig::STATUS_OF_PHP);
            $checks[] = Check::that(
                'nginx reaches php-fpm',
                $status === 404,
                "nginx gets no answer at {$target->socket}" . ($report === null ? '' : ', though php-fpm answers there')
                    . ': may nginx\'s user use the socket?',
            );
        }
        if ($report !== null) {
            $checks[] = $report->opcache
                ? Check::ok('OPcache is on in php-fpm')
                : Check::remark('OPcache is on in php-fpm', 'misses cost several times as much without it');
        }

        return [$checks, $report];
    }

    /** @return array{list<Check>, NginxTarget|null} what its configuration was printed for; null: not known */
    private function nginx(): array
    {
        $loaded = 'nginx has loaded the configuration that nginx:config prints now';
        try {
            [$status, $body] = $this->get(NginxConfig::STATUS);
        } catch (Refused $refused) {
            $remedy = 'it was not asked: ' . rtrim($refused->getMessage(), '.');

            return [[Check::remark('nginx answers', $remedy), ...$this->modules()], null];
        } catch (RuntimeException $exception) {
            $remedy = "{$this->nginx}: {$exception->getMessage()}. Start nginx, or name an address of it by --nginx";

            return [[Check::failed('nginx answers', $remedy), ...$this->modules()], null];
        }
        $checks = [Check::ok('nginx answers')];
        $told = $status === 200 ? json_decode($body, true) : null;
        if (!\is_array($told) || ($told['site'] ?? null) !== $this->site->name) {
            $remedy = "what answers at {$this->nginx} for {$this->site->hosts[0]} has another configuration than this "
                . 'site\'s: ' . self::PRINT_AGAIN . ', or name another address by --nginx, such as '
                . 'https://127.0.0.1:443 for one with TLS';

            return [[...$checks, Check::failed($loaded, $remedy), ...$this->modules()], null];
        }
        if (!isset($told['php'])) {
            $remedy = "nginx tells for what it was printed only to who may write to {$this->site->pages}, and must be "
                . 'able to look into it: run doctor as php-fpm\'s user';

            return [[...$checks, Check::remark($loaded, $remedy), ...$this->modules()], null];
        }
        try {
            $target = NginxTarget::of($told);
            $isSame = (new NginxConfig($this->site, $target))->hash() === ($told['config'] ?? null);
            $isOne = ($told['http'] ?? null) === ($told['config'] ?? null);
        } catch (InvalidSite $exception) {
            return [[...$checks, Check::failed($loaded, $exception->getMessage())], null];
        }

        return [
            [
                ...$checks,
                Check::that(
                    $loaded,
                    $isSame && $isOne,
                    ($isSame ? 'the part for http is of another time than the part for the server: ' : 'the site or '
                        . 'Larder changed since it was printed: ') . self::PRINT_AGAIN,
                ),
                ...($isSame && $isOne ? (new ContextChecks($this->site, $this->get(...)))->run() : []),
                ...$this->guarded((int) (is_scalar($told['pid'] ?? null) ? $told['pid'] : 0)),
                ...$this->modules(),
            ],
            $target,
        ];
    }

    /** @return list<Check> whether nginx knows which memcached servers are out */
    private function guarded(int $pid): array
    {
        $guarded = GuardedServers::of($this->site);
        if ($guarded === null || $guarded->out() === null) {
            return [];
        }
        $loaded = 'nginx has loaded the file of larder guard';
        $remedy = "{$guarded->path()} was written since nginx was reloaded: reload nginx, and see by what command "
            . 'larder guard tells it to (--reload). Until then it asks servers that are out, or does not ask those '
            . 'that are back';

        return [match (LoadedFile::isLoaded($guarded->path(), $pid)) {
            true => Check::ok($loaded),
            false => Check::failed($loaded, $remedy),
            null => Check::remark($loaded, 'its processes are not to be seen from here: run doctor where nginx runs'),
        }];
    }

    /** @return list<Check> whether nginx can load a configuration of pages in memcached */
    private function modules(): array
    {
        if ($this->site->storage->memcached === []) {
            return [];
        }
        $missing = array_filter(
            NginxModules::PACKAGES,
            static fn(string $module): bool => !is_file(NginxModules::path($module)),
            ARRAY_FILTER_USE_KEY,
        );

        $remedy = 'they are not where Debian has them: apt install ' . implode(' ', $missing);

        // A build of its own may have them inside.
        return [$missing === [] ? Check::ok(self::MODULES) : Check::remark(self::MODULES, $remedy)];
    }

    /** @return array{Check, ProcessReport|null} */
    private function php(string $socket): array
    {
        $name = 'php-fpm answers';
        $script = ReportScript::ready();
        try {
            $said = FastCgi::run($socket, $script->path, UserProcess::questions($this->site));
        } catch (RuntimeException $exception) {
            $reason = $exception->getMessage();

            return [
                $reason === 'Permission denied'
                    ? Check::remark($name, "it was not asked, since this user may not use $socket: give it to "
                        . 'php-fpm\'s user, or run doctor as root')
                    : Check::failed($name, "$socket: $reason. Start php-fpm, or name its socket by --php"),
                null,
            ];
        } finally {
            $script->remove();
        }
        $report = ProcessReport::read($said);

        return $report === null
            ? [
                Check::failed($name, "$socket: it cannot run {$script->path}: "
                    . ($said === '' ? 'no answer in time' : substr(strip_tags($said), 0, 200))),
                null,
            ]
            : [Check::ok($name), $report];
    }

    /**
     * @param array<string, string> $headers by name
     *
     * @return array{int, string} status and body
     */
    private function get(string $uri, array $headers = []): array
    {
        $server = new HttpServer($this->nginx, $this->site->hosts[0], self::SECONDS);
        $name = bin2hex(random_bytes(16));
        $directory = $this->site->pages . NginxConfig::ASKED;
        $files = new Files();
        try {
            // Where there is no page directory the doctor makes none.
            is_dir($this->site->pages) ? $files->makeDirectory($directory) : null;
            $files->write("$directory/$name", '');
        } catch (PageStoreFailed) {
            // Then nginx tells less.
            $name = '';
        }
        try {
            return $server->fetch(rtrim($this->site->urls->path, '/') . $uri, ['Larder-Asked' => $name] + $headers);
        } finally {
            $name === '' || @unlink("$directory/$name");
        }
    }
}
