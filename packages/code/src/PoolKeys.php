<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\InvalidCode;

/**
 * The keys of one application in the pool.
 *
 * @internal
 */
final readonly class PoolKeys
{
    public function __construct(public string $name)
    {
        if (!Paths::isName($name)) {
            throw InvalidCode::name($name);
        }
    }

    /** Of the signed record. */
    public function head(): string
    {
        return "larder.code.{$this->name}.head";
    }

    /** Of the list of packs that no release needs since the last two were pushed. */
    public function superseded(): string
    {
        return "larder.code.{$this->name}.superseded";
    }

    /**
     * @param array<string, string> $found what the pool gave for superseded()
     *
     * @return list<string>
     */
    public function hashesIn(array $found): array
    {
        preg_match_all('/\b[0-9a-f]{64}\b/', $found[$this->superseded()] ?? '', $hashes);

        return $hashes[0];
    }

    /** Of a pack, or of a piece of the list of files. */
    public function piece(string $hash): string
    {
        return "larder.code.{$this->name}.$hash";
    }
}
