<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;
use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;
use Larder\Exception\LarderException;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;

/**
 * Puts a directory into the pool as the newest release.
 *
 * The packs come first and the signed record last, so a host sees the release of before or the whole new one.
 */
final readonly class Publisher
{
    /** Bytes that are sent in one round trip. */
    private const LOAD = 16_000_000;

    /** Packs that are fetched in one round trip. */
    private const LOOKED_AT = 64;

    private PoolKeys $keys;

    /** @throws InvalidCode */
    public function __construct(
        private Pool $pool,
        private SecretKey $key,
        string $name,
        private ClockInterface $clock = new SystemClock(),
    ) {
        $this->keys = new PoolKeys($name);
    }

    /**
     * @param string|null                        $release null: the time and a part of the content's hash
     * @param list<string>                       $exclude paths or patterns of what stays out, such as ".git"
     * @param (Closure(string, int, int): void)|null $progress takes the step, and how much of it is done, of how much
     * @param list<string>                       $include paths or patterns of files that look like passwords, private
     *     keys or dumps and are to be in it; others that do are refused
     * @param int|null                           $seconds after which no host takes the release, unless
     *     renew() signs it anew;
     *     null: it has no end
     *
     * @throws LarderException
     */
    public function push(
        string $directory,
        ?string $release = null,
        array $exclude = ['.git'],
        ?Closure $progress = null,
        array $include = [],
        ?int $seconds = null,
    ): Published {
        $progress ??= static function (string $step, int $done, int $all): void {};
        $former = $this->pool->fetch([$this->keys->head()])[$this->keys->head()] ?? null;
        $before = $former === null ? null : Head::open($former, $this->key->public(), $this->keys->name);
        $blobs = [];
        $manifest = Packing::of(
            new SourceTree($directory, $exclude, $include),
            static function (string $hash, string $bytes) use (&$blobs): void {
                $blobs[$hash] = $bytes;
            },
            static fn(int $done, int $all) => $progress('pack', $done, $all),
        );
        $list = $manifest->encode();
        $pieces = [];
        foreach (str_split(PackedFiles::compress($list), PackedFiles::LARGEST) as $piece) {
            $pieces[] = $hash = hash('sha256', $piece);
            $blobs[$hash] = $piece;
        }
        [$stored, $sent] = $this->send($blobs, $progress);

        $now = $this->clock->now();
        $release ??= $now->format('Ymd.His') . '-' . substr(hash('sha256', $list), 0, 8);
        if (!Paths::isRelease($release)) {
            throw InvalidCode::release($release);
        }
        if ($before?->release === $release) {
            throw InvalidCode::because("The release in the pool has the id $release already: take another");
        }
        // A clock that was set back must not make a release that no host accepts.
        $number = max((int) $now->format('Uu'), ($before->number ?? 0) + 1);
        $made = $now->getTimestamp();
        $until = $seconds === null ? null : $made + $seconds;
        $head = new Head($this->keys->name, $release, $number, $made, $pieces, \strlen($list), $until);
        if (!$this->pool->replace($this->keys->head(), $former, $head->sign($this->key))) {
            throw CodePoolFailed::because('Somebody else pushed a release at the same time: push again');
        }
        $this->forget($before, $manifest, $head);
        $progress('done', 1, 1);

        return new Published(
            $release,
            \count($manifest->files),
            $manifest->bytes(),
            \count($manifest->packs),
            $stored,
            $sent,
            $number,
        );
    }

    /**
     * Signs the newest release anew, as a timer does, so that hosts go on taking it. An old one that somebody puts back
     * ends soon after its successor was pushed.
     *
     * @param int $seconds for which it is taken from now on
     *
     * @return string its id
     *
     * @throws LarderException
     */
    public function renew(int $seconds): string
    {
        $former = $this->pool->fetch([$this->keys->head()])[$this->keys->head()] ?? throw CodeRefused::because(
            \sprintf('There is no release of "%s" in the pool: run larder code:push', $this->keys->name),
        );
        $head = Head::open($former, $this->key->public(), $this->keys->name);
        $signed = $head->until($this->clock->now()->getTimestamp() + $seconds)->sign($this->key);
        if (!$this->pool->replace($this->keys->head(), $former, $signed)) {
            throw CodePoolFailed::because('Somebody else pushed a release at the same time: renew again');
        }

        return $head->release;
    }

    /**
     * @param array<string, string>          $blobs    by hash
     * @param Closure(string, int, int): void $progress
     *
     * @return array{int, int} how many were not there, and their bytes
     */
    private function send(array $blobs, Closure $progress): array
    {
        $keys = [];
        foreach (array_keys($blobs) as $hash) {
            $keys[$this->keys->piece($hash)] = $hash;
        }
        $missing = $this->missing($keys);
        $load = [];
        $waiting = $bytes = 0;
        foreach ($missing as $number => $key) {
            $load[$key] = $blobs[$keys[$key]];
            $waiting += \strlen($load[$key]);
            if ($waiting >= self::LOAD || $number === \count($missing) - 1) {
                $this->pool->store($load);
                $bytes += $waiting;
                [$load, $waiting] = [[], 0];
                $progress('send', $number + 1, \count($missing));
            }
        }
        // A server that is too small displaces what was just stored.
        $lost = array_diff(array_keys($keys), $this->pool->present(array_keys($keys)));
        if ($lost !== []) {
            throw CodePoolFailed::because(\sprintf(
                'The pool has displaced %d of the %d packs that were just stored: start its servers with a larger -m',
                \count($lost),
                \count($keys),
            ));
        }

        return [\count($missing), $bytes];
    }

    /**
     * @param array<string, string> $keys hash by key
     *
     * @return list<string> the keys of what is not there, or not what its hash says: somebody may have spoilt it
     */
    private function missing(array $keys): array
    {
        $missing = [];
        foreach (array_chunk($keys, self::LOOKED_AT, true) as $some) {
            $found = $this->pool->fetch(array_keys($some));
            foreach ($some as $key => $hash) {
                if (!isset($found[$key]) || hash('sha256', $found[$key]) !== $hash) {
                    $missing[] = $key;
                }
            }
        }

        return $missing;
    }

    /** A host may be pulling the release of before, so its packs go when the next one is pushed. */
    private function forget(?Head $before, Manifest $manifest, Head $head): void
    {
        if ($before === null) {
            return;
        }
        $hash = static fn(PackedFiles $pack): string => $pack->hash;
        $needed = [...$head->pieces, ...array_map($hash, $manifest->packs)];
        try {
            $former = ReleaseList::fetch($this->pool, $this->keys, $before);
        } catch (CodeRefused) {
            return;
        }
        $formerHashes = [...$before->pieces, ...array_map($hash, $former->packs)];
        $old = $this->keys->hashesIn($this->pool->fetch([$this->keys->superseded()]));
        $gone = array_values(array_unique(array_diff($old, $needed, $formerHashes)));
        $this->pool->remove(array_map($this->keys->piece(...), $gone));
        $this->pool->store([$this->keys->superseded() => implode("\n", array_diff($formerHashes, $needed))]);
    }
}
