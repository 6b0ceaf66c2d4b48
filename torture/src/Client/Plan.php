<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Testbed\Process\Findings;
use Larder\Memcached;
use RuntimeException;

/** What the processes of one run are told, in a file. */
final readonly class Plan
{
    private const RETRY = 20;
    private const PATIENCE = 5000;

    /** @param list<string> $proxies as a pool takes them */
    public function __construct(
        private int $notes,
        public int $seats,
        public int $seed,
        public string $directory,
        public array $proxies,
    ) {}

    public static function read(string $file): self
    {
        $plan = unserialize((string) file_get_contents($file), ['allowed_classes' => [self::class]]);

        return $plan instanceof self ? $plan : throw new RuntimeException($file . ' is no plan.');
    }

    public function write(string $file): void
    {
        file_put_contents($file, serialize($this));
    }

    public function notes(): Notes
    {
        return Notes::open($this->notes, $this->keys()->places(), $this->seats, \count($this->proxies));
    }

    public function keys(): Keys
    {
        return new Keys($this->seats);
    }

    public function findings(): Findings
    {
        return new Findings($this->directory . '/wrong');
    }

    public function lateness(): Lateness
    {
        return new Lateness($this->directory);
    }

    /** @param int $timeout milliseconds */
    public function pool(int $timeout): Memcached
    {
        return new Memcached($this->proxies, 'torture:', $timeout, self::RETRY);
    }

    /** Has keys of its own, and leases. */
    public function leasing(int $timeout): Memcached
    {
        return new Memcached($this->proxies, 'lease:', $timeout, self::RETRY, shared: false);
    }

    /** For the last look, when the proxies make no more faults: the pool of pool(), with patience. */
    public function undisturbed(): Memcached
    {
        return $this->pool(self::PATIENCE);
    }
}
