<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodeRefused;

/**
 * The one record in the pool that is signed: which release is the newest, and by which hashes all else of it is found.
 *
 * @internal
 */
final readonly class Head
{
    /** Goes into the signature, so that nothing else that was signed by the key can be taken for a release. */
    private const PURPOSE = "larder code 1\n";

    /** Bytes of a list of files, so that a few bytes in the pool cannot ask for all memory. */
    private const LARGEST = 1 << 28;

    /**
     * @param string       $name   of the application
     * @param int          $number counts the releases of the application: microseconds since 1970, and at least one
     *     more than the release before
     * @param int          $made   Unix time; of all its files too
     * @param list<string> $pieces of the list of files, which is compressed and cut like a file: their hashes
     * @param int          $bytes  of the list of files
     * @param int|null     $until  Unix time after which no host takes it; null: it has no end
     */
    public function __construct(
        public string $name,
        public string $release,
        public int $number,
        public int $made,
        public array $pieces,
        public int $bytes,
        public ?int $until = null,
    ) {}

    /** The same release with another end. */
    public function until(?int $until): self
    {
        return new self($this->name, $this->release, $this->number, $this->made, $this->pieces, $this->bytes, $until);
    }

    /** Whether it is of the same files, whenever it was signed. */
    public function isOf(self $other): bool
    {
        return get_object_vars($this->until(null)) === get_object_vars($other->until(null));
    }

    public function sign(SecretKey $key): string
    {
        $text = json_encode(get_object_vars($this), JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);

        return $key->sign(self::PURPOSE . $text) . $text;
    }

    /**
     * @throws CodeRefused if it was not signed by the key, or not for this application
     */
    public static function open(string $signed, PublicKey $key, string $name): self
    {
        $text = substr($signed, PublicKey::SIGNATURE);
        if (!$key->verifies(substr($signed, 0, PublicKey::SIGNATURE), self::PURPOSE . $text)) {
            throw CodeRefused::because(\sprintf(
                'The release of "%s" in the pool was not signed by the key %s: somebody else writes to this pool, or '
                    . 'the release was pushed with another key',
                $name,
                $key->shown(),
            ));
        }
        $head = self::decode($text);
        if ($head === null) {
            throw CodeRefused::because('The release in the pool was pushed by a Larder that this one does not know');
        }
        if ($head->name !== $name) {
            throw CodeRefused::because(
                \sprintf('The release in the pool is one of "%s", not of "%s"', $head->name, $name),
            );
        }

        return $head;
    }

    /** Of one that was opened before; null: it is none. */
    public static function read(string $signed): ?self
    {
        return self::decode(substr($signed, PublicKey::SIGNATURE));
    }

    private static function decode(string $text): ?self
    {
        $read = json_decode($text, true, 4);
        [$name, $release, $number, $made, $pieces, $bytes, $until] = array_map(
            static fn(string $field): mixed => \is_array($read) ? $read[$field] ?? null : null,
            ['name', 'release', 'number', 'made', 'pieces', 'bytes', 'until'],
        );
        if (!\is_string($name) || !\is_string($release) || !\is_int($number) || !\is_int($made)
            || !\is_array($pieces) || !\is_int($bytes) || $bytes < 1 || $bytes > self::LARGEST
            || !Paths::isRelease($release) || ($until !== null && !\is_int($until))) {
            return null;
        }
        $hashes = array_values(array_filter($pieces, \is_string(...)));

        return \count($hashes) === \count($pieces) && $hashes !== []
            ? new self($name, $release, $number, $made, $hashes, $bytes, $until)
            : null;
    }
}
