<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Composer\InstalledVersions;
use Larder\Bench\Exception\Failed;
use Larder\Code\MemcachedPool;
use Larder\Code\PublicKey;
use Larder\Code\Pulled;
use Larder\Code\Puller;
use Larder\Code\Releases;
use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;

/** A host that gets releases from a pool, with a php-fpm that has compiled nothing yet. */
final class Host
{
    public readonly Releases $releases;
    private ?PhpFpm $php = null;

    /** @param string $directory of its own; made if need be */
    public function __construct(
        private readonly string $directory,
        private readonly string $address,
        private readonly PublicKey $key,
        private readonly string $name,
    ) {
        is_dir($directory) || mkdir($directory, 0o755);
        $this->releases = new Releases("$directory/releases");
    }

    public function pull(): Pulled
    {
        return (new Puller(new MemcachedPool($this->address), $this->key, $this->name, $this->releases))->pull();
    }

    /** Starts php-fpm. It may write where this process may, as it lays releases down, too. */
    public function start(int $workers): PhpFpm
    {
        return $this->php = new PhpFpm(
            $this->directory,
            Account::of('root'),
            $workers,
            ini: ['memory_limit' => '1G'],
            startup: [
                'opcache.validate_timestamps' => '0',
                'opcache.memory_consumption' => '256',
                'opcache.max_accelerated_files' => '20000',
            ],
        );
    }

    /** What `larder code:warm` does for a release that lies here. */
    public function warm(string $release): void
    {
        $socket = ($this->php ?? throw new Failed('php-fpm was not started'))->socket;
        $script = (string) realpath((string) InstalledVersions::getInstallPath('larder/console')) . '/bin/warm.php';
        for ($from = 0, $all = 1; $from < $all;) {
            $said = json_decode((new FastCgi($socket, $script, 60))->parts('', '/', [
                'LARDER_CODE_LIST' => "{$this->releases->directory}/manifests/$release.list",
                'LARDER_CODE_DIRECTORY' => $this->releases->path($release),
                'LARDER_CODE_FROM' => (string) $from,
            ])[1] ?? '', true);
            if (!\is_array($said) || !\is_int($said['next'] ?? null) || !\is_int($said['all'] ?? null)) {
                throw new Failed('it could not be warmed: ' . json_encode($said));
            }
            [$from, $all] = [$said['next'], $said['all']];
        }
    }

    public function stop(): void
    {
        $this->php?->stop();
    }
}
