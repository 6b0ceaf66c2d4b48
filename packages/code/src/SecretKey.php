<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\InvalidCode;
use SensitiveParameter;

/** Signs releases (Ed25519, RFC 8032). It belongs to who pushes, never into the pool or on a web server. */
final readonly class SecretKey
{
    private const PREFIX = 'larder-code-secret:';

    /** @param non-empty-string $bytes as sodium has it */
    private function __construct(#[SensitiveParameter] private string $bytes) {}

    public static function make(): self
    {
        PublicKey::requireSodium();

        return new self(sodium_crypto_sign_secretkey(sodium_crypto_sign_keypair()));
    }

    /** @throws InvalidCode if the file is no secret key, or if others may read it */
    public static function read(string $file): self
    {
        PublicKey::requireSodium();
        $text = @file_get_contents($file);
        if ($text === false) {
            throw InvalidCode::because("The secret key $file cannot be read. Make a pair of keys by larder code:keys");
        }
        if (((int) fileperms($file) & 0o077) !== 0) {
            throw InvalidCode::because("Others may read the secret key $file: chmod 600 $file, or make new keys");
        }
        $bytes = PublicKey::bytesIn($text, self::PREFIX);

        return \strlen($bytes) === SODIUM_CRYPTO_SIGN_SECRETKEYBYTES
            ? new self($bytes)
            : throw InvalidCode::because("$file has no secret key as larder code:keys makes it");
    }

    public function public(): PublicKey
    {
        return PublicKey::of(sodium_crypto_sign_publickey_from_secretkey($this->bytes));
    }

    public function sign(string $text): string
    {
        return sodium_crypto_sign_detached($text, $this->bytes);
    }

    public function text(): string
    {
        return self::PREFIX . base64_encode($this->bytes) . "\n";
    }
}
