<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Closure;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\MemcachedPool;
use Larder\Code\Publisher;
use Larder\Code\Puller;
use Larder\Code\Releases;
use Larder\Code\SecretKey;
use Larder\Exception\LarderException;
use Larder\Testbed\Process\Fork;

/**
 * What an enemy in the pool, and a crash on the host, may do to a pull. Each is followed by what the pull says: it must
 * refuse, and say why.
 */
final class Attacks
{
    public const NAMES = ['tampered', 'signature', 'replay', 'emptied', 'killed'];

    private const PREFIX = 'larder.code.shop.';

    /** A pull has more steps than this: the record, the list, a pack, five files, the name. */
    private const STEPS = 8;

    /** The record of an earlier release. */
    private string $old = '';

    public function __construct(
        private readonly MemcachedPool $pool,
        private readonly SecretKey $key,
        private readonly Releases $releases,
    ) {}

    public function puller(): Puller
    {
        return new Puller($this->pool, $this->key->public(), 'shop', $this->releases);
    }

    /**
     * @param Closure(): string $push makes the next release and gives its id
     *
     * @return string|null what was wrong; null: it was refused as it must be
     */
    public function run(string $name, string $source, Closure $push): ?string
    {
        $served = $this->releases->current();
        $push();
        $complaint = match ($name) {
            'tampered' => $this->spoil(
                fn() => $this->pool->store(array_map(self::tampered(...), $this->pool->fetch($this->packs()))),
                'src/part',
            ),
            'emptied' => $this->spoil(fn() => $this->pool->remove($this->packs()), 'src/part'),
            'signature' => $this->spoil($this->signOtherwise(...), 'was not signed by the key', $source),
            'replay' => $this->replay(),
            default => $this->kill(),
        };
        $this->old = $this->head();

        return $complaint ?? ($this->releases->current() === $served ? null : 'another release is served');
    }

    private function spoil(Closure $harm, string $word, string $source = ''): ?string
    {
        $before = $this->head();
        $source === '' ? $harm() : $harm($source);
        try {
            $this->puller()->pull();

            return 'it was not refused';
        } catch (CodeRefused $refusal) {
            return str_contains($refusal->getMessage(), $word) ? null : 'refused as: ' . $refusal->getMessage();
        } finally {
            $this->pool->store([self::PREFIX . 'head' => $before]);
        }
    }

    /** As many bytes as before, whose code gives other numbers. */
    private static function tampered(string $pack): string
    {
        return (string) gzdeflate(strtr((string) gzinflate($pack), '0123456789', '1234567890'));
    }

    private function signOtherwise(string $source): void
    {
        $this->pool->remove([self::PREFIX . 'head']);
        (new Publisher($this->pool, SecretKey::make(), 'shop'))->push($source);
    }

    private function replay(): ?string
    {
        if ($this->old === '') {
            return null;
        }
        $this->puller()->pull();

        return $this->spoil(
            fn() => $this->pool->store([self::PREFIX . 'head' => $this->old]),
            'which this host has accepted',
        );
    }

    /** Kills pulls, each at a step further than the one before, until one has no such step. */
    private function kill(): ?string
    {
        $step = 0;
        while ($this->isKilledAt($step)) {
            ++$step;
        }
        try {
            $this->puller()->pull();
        } catch (LarderException $failure) {
            return 'the pull after it said: ' . $failure->getMessage();
        }

        return $step < self::STEPS ? "only $step pulls were killed" : null;
    }

    private function isKilledAt(int $step): bool
    {
        $child = Fork::start(function () use ($step): void {
            try {
                // The parent's connection must not be used by two.
                $pool = new MemcachedPool($this->pool->servers());
                (new Puller($pool, $this->key->public(), 'shop', $this->releases))->pull(
                    static function () use (&$step): void {
                        if ($step-- === 0) {
                            posix_kill((int) getmypid(), SIGKILL);
                        }
                    },
                );
            } finally {
                // Also after a failure, which the parent's next pull tells.
                posix_kill((int) getmypid(), SIGTERM);
            }
        });
        pcntl_waitpid($child, $status);

        return \is_int($status) && pcntl_wtermsig($status) === SIGKILL;
    }

    private function head(): string
    {
        return $this->pool->fetch([self::PREFIX . 'head'])[self::PREFIX . 'head'] ?? '';
    }

    /** @return list<string> the keys of what the present release needs and this host has not */
    private function packs(): array
    {
        $keys = [];
        foreach ($this->puller()->wanted() as $hash) {
            $keys[] = self::PREFIX . $hash;
        }

        return $keys;
    }
}
