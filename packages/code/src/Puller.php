<?php

declare(strict_types=1);

namespace Larder\Code;

use Closure;
use Larder\Code\Exception\CodeFailed;
use Larder\Code\Exception\CodeRefused;
use Larder\Code\Exception\InvalidCode;
use Larder\Exception\LarderException;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;

/**
 * Takes the newest release from the pool and lays it down beside the one that is served.
 *
 * Nothing of it is used before its signature, its hashes and its paths were checked, and it gets its name in one
 * rename(2) when it is whole. So it may be killed at any step: what is served stays, and the next pull goes on with the
 * packs that were fetched.
 */
final readonly class Puller
{
    /** Packs that are fetched in one round trip: at most 58 MB. */
    private const SET = 64;

    /**
     * Seconds by which the files are older than the release.
     *
     * @internal
     */
    public const AGE = 60;

    private PoolKeys $keys;

    /**
     * @param int $atLeast number of the oldest release that this host takes, also if it has never pulled one
     *
     * @throws InvalidCode
     */
    public function __construct(
        private Pool $pool,
        private PublicKey $key,
        string $name,
        private Releases $releases,
        private int $atLeast = 0,
        private ClockInterface $clock = new SystemClock(),
    ) {
        $this->keys = new PoolKeys($name);
    }

    /**
     * @param (Closure(string, int, int): void)|null $progress takes the step, and how much of it is done, of how much
     *
     * @throws LarderException CodePoolFailed if the pool does not answer; CodeRefused if it has no release that this
     *     host may run; CodeFailed if that cannot be laid down, such as on a full disk
     */
    public function pull(?Closure $progress = null): Pulled
    {
        $progress ??= static function (string $step, int $done, int $all): void {};

        return $this->releases->alone(fn(): Pulled => $this->take($progress));
    }

    /**
     * @internal
     *
     * @return list<string> the hashes of the packs that pull() would fetch
     *
     * @throws LarderException
     */
    public function wanted(): array
    {
        $signed = $this->pool->fetch([$this->keys->head()])[$this->keys->head()] ?? '';
        $head = Head::open($signed, $this->key, $this->keys->name);

        return array_map(strval(...), array_keys(
            $this->missing(ReleaseList::fetch($this->pool, $this->keys, $head)),
        ));
    }

    /**
     * A pack's bytes on this host, if they are those of the hash.
     *
     * @internal
     */
    public static function kept(Releases $releases, PackedFiles $pack): ?string
    {
        $bytes = @file_get_contents($releases->directory . '/packs/' . $pack->hash);

        return $bytes !== false && hash_equals($pack->hash, hash('sha256', $bytes)) ? $bytes : null;
    }

    /** @param Closure(string, int, int): void $progress */
    private function take(Closure $progress): Pulled
    {
        $begin = $this->pool->trips();
        $progress('head', 0, 1);
        $signed = $this->pool->fetch([$this->keys->head()])[$this->keys->head()] ?? throw CodeRefused::because(
            \sprintf('There is no release of "%s" in the pool: run larder code:push', $this->keys->name),
        );
        $head = Head::open($signed, $this->key, $this->keys->name);
        if ($this->isHere($head)) {
            return new Pulled($head->release, false, 0, 0, $this->pool->trips() - $begin);
        }
        $progress('list', 0, 1);
        $list = ReleaseList::text($this->pool, $this->keys, $head);
        $manifest = Manifest::decode($list);
        $this->removeRemains();
        [$packs, $bytes] = $this->fetchMissing($manifest, $progress);
        $this->layDown($head, $signed, $list, $manifest, $progress);

        return new Pulled($head->release, true, $packs, $bytes, $this->pool->trips() - $begin);
    }

    /** @throws CodeRefused if this host has accepted a newer one, or another one by this id */
    private function isHere(Head $head): bool
    {
        $state = $this->releases->state();
        $this->refuseOld($head);
        if ($head->number < $state->number) {
            throw CodeRefused::because(\sprintf(
                'The release %s in the pool was made before %s, which this host has accepted: it is an old one that '
                    . 'was put there again. To go back run larder code:rollback, or push the old files anew',
                $head->release,
                $state->release,
            ));
        }
        if (!$this->releases->has($head->release)) {
            return false;
        }
        // It may have been signed anew since.
        if ($this->releases->head($head->release)?->isOf($head) !== true) {
            throw CodeRefused::because(\sprintf(
                'The release %s in the pool is another one than that which lies in %s: push it by another id',
                $head->release,
                $this->releases->path($head->release),
            ));
        }
        // It was killed between the two.
        if ($head->number > $state->number) {
            $this->releases->remember($state->accepted($head->number, $head->release));
        }

        return true;
    }

    /** What the number of the last one that was accepted says nothing of, on a host that has accepted none. */
    private function refuseOld(Head $head): void
    {
        if ($head->number < $this->atLeast) {
            throw CodeRefused::because(\sprintf(
                'The release %s in the pool has the number %d, and this host takes none below %d: it is an old one '
                    . 'that was put there again',
                $head->release,
                $head->number,
                $this->atLeast,
            ));
        }
        if ($head->until !== null && $head->until < $this->clock->now()->getTimestamp()) {
            throw CodeRefused::because(\sprintf(
                'The signature of the release %s in the pool ended %s: it is an old one that was put there again, or '
                    . 'nobody has run larder code:renew since',
                $head->release,
                gmdate('Y-m-d H:i:s\Z', $head->until),
            ));
        }
    }

    /** What was left by a process that was killed. Nobody else works here while the lock is held. */
    private function removeRemains(): void
    {
        foreach (LocalDirectory::names($this->releases->directory . '/releases') as $name) {
            if (str_starts_with($name, '.part-')) {
                LocalDirectory::remove($this->releases->directory . '/releases/' . $name);
            }
        }
    }

    /**
     * @param Closure(string, int, int): void $progress
     *
     * @return array{int, int} packs that were fetched, and their bytes
     */
    private function fetchMissing(Manifest $manifest, Closure $progress): array
    {
        LocalDirectory::make($this->releases->directory . '/packs');
        $missing = $this->missing($manifest);
        $done = $bytes = 0;
        foreach (array_chunk($missing, self::SET, true) as $set) {
            $hashes = array_map(strval(...), array_keys($set));
            $found = $this->pool->fetch(array_map($this->keys->piece(...), $hashes));
            foreach ($hashes as $hash) {
                $pack = $found[$this->keys->piece($hash)] ?? null;
                if ($pack === null || !hash_equals($hash, hash('sha256', $pack))) {
                    throw CodeRefused::pack($hash, $manifest->filesIn($set[$hash]), $pack === null
                        ? 'is not in the pool any more: push the release again'
                        : 'is not the one that was signed: somebody else writes to this pool');
                }
                LocalDirectory::replace($this->releases->directory . '/packs/' . $hash, $pack);
                $bytes += \strlen($pack);
                $progress('fetch', ++$done, \count($missing));
            }
        }

        return [$done, $bytes];
    }

    /** @return array<string, int> number in the manifest by hash, of the packs that are not on this host */
    private function missing(Manifest $manifest): array
    {
        $missing = [];
        foreach ($manifest->packs as $number => $pack) {
            if (self::kept($this->releases, $pack) === null) {
                $missing[$pack->hash] = $number;
            }
        }

        return $missing;
    }

    /** @param Closure(string, int, int): void $progress */
    private function layDown(Head $head, string $signed, string $list, Manifest $manifest, Closure $progress): void
    {
        $part = $this->releases->directory . '/releases/.part-' . $head->release;
        // Each of them was verified a moment ago, when it came or when it was found here.
        $packed = function (PackedFiles $pack): ?string {
            $bytes = @file_get_contents($this->releases->directory . '/packs/' . $pack->hash);

            return $bytes === false ? null : $bytes;
        };
        try {
            (new Layout($manifest, $packed, $head->made - self::AGE))->to(
                $part,
                static fn(int $done, int $all) => $progress('lay', $done, $all),
            );
            $manifests = $this->releases->directory . '/manifests';
            LocalDirectory::make($manifests);
            LocalDirectory::replace("$manifests/{$head->release}.list", $list);
            LocalDirectory::replace("$manifests/{$head->release}.head", $signed);
            $progress('name', 0, 1);
            if (!@rename($part, $this->releases->path($head->release))) {
                throw CodeFailed::during('name', $this->releases->path($head->release));
            }
        } catch (CodeFailed|CodeRefused $failure) {
            LocalDirectory::remove($part);
            throw $failure;
        }
        $progress('accept', 0, 1);
        $this->releases->remember($this->releases->state()->accepted($head->number, $head->release));
        $progress('done', 1, 1);
    }
}
