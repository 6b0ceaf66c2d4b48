<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\InvalidCode;

/** Tells whether a release was signed by the one key that this host trusts. */
final readonly class PublicKey
{
    /** Bytes of a signature. */
    public const SIGNATURE = 64;

    private const PREFIX = 'larder-code-public:';

    /** @param non-empty-string $bytes as sodium has it */
    private function __construct(private string $bytes) {}

    /** @param string $bytes as sodium has it */
    public static function of(string $bytes): self
    {
        self::requireSodium();

        return \strlen($bytes) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES
            ? new self($bytes)
            : throw InvalidCode::because('A public key has ' . SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES . ' bytes');
    }

    /** @throws InvalidCode if the file is no public key */
    public static function read(string $file): self
    {
        $text = @file_get_contents($file);
        if ($text === false) {
            throw InvalidCode::because("The public key $file cannot be read: copy it from where larder code:keys ran");
        }
        $bytes = self::bytesIn($text, self::PREFIX);
        if ($bytes === '') {
            throw InvalidCode::because("$file has no public key as larder code:keys makes it");
        }

        return self::of($bytes);
    }

    public function verifies(string $signature, string $text): bool
    {
        return \strlen($signature) === self::SIGNATURE
            && sodium_crypto_sign_verify_detached($signature, $text, $this->bytes);
    }

    public function text(): string
    {
        return self::PREFIX . base64_encode($this->bytes) . "\n";
    }

    /** @return string enough of it to tell keys apart */
    public function shown(): string
    {
        return substr(base64_encode($this->bytes), 0, 12);
    }

    /** @return string '': there is none */
    public static function bytesIn(string $text, string $prefix): string
    {
        return str_starts_with($text, $prefix) ? (string) base64_decode(substr($text, \strlen($prefix)), true) : '';
    }

    /** @throws InvalidCode */
    public static function requireSodium(): void
    {
        if (!\extension_loaded('sodium')) {
            throw InvalidCode::because('Releases are signed by the PHP extension sodium, which is not loaded');
        }
    }
}
