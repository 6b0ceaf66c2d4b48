<?php

declare(strict_types=1);

namespace Larder\Tests\Code;

use Larder\Code\Pool;
use Larder\Code\Publisher;
use Larder\Code\Puller;
use Larder\Code\Releases;
use Larder\Code\SecretKey;
use Larder\Testbed\TemporaryDirectory;

/** An application's source, a key, and hosts that pull it. */
final readonly class Shop
{
    public const NAME = 'shop';

    public TemporaryDirectory $directory;
    public SecretKey $key;
    public string $source;

    public function __construct(public Pool $pool = new ArrayPool(), ?TemporaryDirectory $directory = null)
    {
        $this->directory = $directory ?? new TemporaryDirectory('larder-code');
        $this->key = SecretKey::make();
        $this->source = $this->directory->path . '/source';
        mkdir($this->source);
    }

    /** @param array<string, string> $files bytes by path */
    public function write(array $files): self
    {
        foreach ($files as $path => $bytes) {
            $whole = $this->source . '/' . $path;
            if (!is_dir(\dirname($whole))) {
                mkdir(\dirname($whole), 0o777, true);
            }
            file_put_contents($whole, $bytes);
        }

        return $this;
    }

    public function push(?string $release = null): string
    {
        return $this->publisher()->push($this->source, $release)->release;
    }

    public function publisher(): Publisher
    {
        return new Publisher($this->pool, $this->key, self::NAME);
    }

    public function releases(string $host = 'host'): Releases
    {
        return new Releases($this->directory->path . '/' . $host);
    }

    public function puller(string $host = 'host'): Puller
    {
        return new Puller($this->pool, $this->key->public(), self::NAME, $this->releases($host));
    }

    public function remove(): void
    {
        $this->directory->remove();
    }
}
