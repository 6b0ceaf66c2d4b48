<?php

declare(strict_types=1);

namespace Larder\Proof\Code;

use Larder\Code\Exception\CodeFailed;
use Larder\Code\MemcachedPool;
use Larder\Code\Publisher;
use Larder\Code\Puller;
use Larder\Code\Releases;
use Larder\Code\SecretKey;
use RuntimeException;

/** A host whose disk is full: a small file system in memory, which only root can mount. */
final readonly class FullDisk
{
    private const MEGABYTES = 4;

    /** @return string|null what was wrong; null: the pull said which file had no room, and what was served stayed */
    public static function attack(string $directory, MemcachedPool $pool): ?string
    {
        mkdir($directory . '/full');
        mkdir($directory . '/full-source');
        self::shell('mount -t tmpfs -o size=' . self::MEGABYTES . 'm larder ' . escapeshellarg("$directory/full"));
        try {
            return self::fill($directory . '/full', $directory . '/full-source', $pool);
        } finally {
            self::shell('umount ' . escapeshellarg("$directory/full"));
        }
    }

    private static function fill(string $root, string $source, MemcachedPool $pool): ?string
    {
        $key = SecretKey::make();
        $publisher = new Publisher($pool, $key, 'full');
        $releases = new Releases($root . '/site');
        $puller = new Puller($pool, $key->public(), 'full', $releases);
        file_put_contents($source . '/small.php', '<?php return 1;');
        $publisher->push($source, 'small');
        $puller->pull();
        $releases->switchTo('small');
        $size = (self::MEGABYTES + 1) << 20;
        foreach (['large.bin' => str_repeat('x', $size), 'packs/' => random_bytes($size)] as $name => $bytes) {
            file_put_contents($source . '/large.bin', $bytes);
            $publisher->push($source);
            try {
                $puller->pull();

                return 'a pull to a full disk said nothing';
            } catch (CodeFailed $failure) {
                $message = $failure->getMessage();
            }
            if (!str_contains($message, $name) || !str_contains($message, 'No space left on device')) {
                return 'a pull to a full disk said: ' . $message;
            }
            // Packs that were fetched stay for the next pull. Here they would be in its way.
            $packs = glob($root . '/site/packs/*');
            array_map(unlink(...), $packs === false ? [] : $packs);
        }
        $left = glob($root . '/site/releases/.part*');
        if ($releases->current() !== 'small' || file_get_contents("$root/site/current/small.php") === '') {
            return 'a full disk changed what is served';
        }
        unlink($source . '/large.bin');
        $publisher->push($source, 'after');
        $puller->pull();
        $releases->switchTo('after');

        return $left === [] && $releases->current() === 'after' ? null : 'after a full disk something was left';
    }

    private static function shell(string $command): void
    {
        exec($command . ' 2>&1', $said, $code);
        if ($code !== 0) {
            throw new RuntimeException("$command: " . implode(' ', $said));
        }
    }
}
