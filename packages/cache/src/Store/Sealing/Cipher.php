<?php

declare(strict_types=1);

namespace Larder\Store\Sealing;

use Larder\Exception\InvalidSeal;

/**
 * How a value is encrypted so that a change of it, or of what it is bound to, is noticed.
 *
 * Both take random numbers so long that they never come twice, however many values one key seals. AES-256-GCM has room
 * for 12 bytes alone, with which some four billion values would be too many: so each value has a key of its own, made
 * out of 16 bytes more.
 *
 * @internal
 */
enum Cipher: string
{
    case XChaCha20Poly1305 = 'xchacha20-poly1305';
    case Aes256Gcm = 'aes-256-gcm';

    private const SALT = 16;
    private const IV = 12;
    private const TAG = 16;

    /** @throws InvalidSeal */
    public static function chosen(?string $name): self
    {
        $cipher = $name === null ? null : self::tryFrom($name) ?? throw InvalidSeal::cipher($name);
        foreach ($cipher === null ? self::cases() : [$cipher] as $one) {
            if ($one->isThere()) {
                return $one;
            }
        }
        throw InvalidSeal::extension($cipher?->value, $cipher?->extension());
    }

    public static function of(string $letter): ?self
    {
        return match ($letter) {
            'x' => self::XChaCha20Poly1305,
            'a' => self::Aes256Gcm,
            default => null,
        };
    }

    /** Names it in front of what it has sealed. */
    public function letter(): string
    {
        return $this === self::XChaCha20Poly1305 ? 'x' : 'a';
    }

    public function isThere(): bool
    {
        return $this === self::XChaCha20Poly1305
            ? \function_exists('sodium_crypto_aead_xchacha20poly1305_ietf_encrypt')
            : \function_exists('openssl_encrypt');
    }

    public function extension(): string
    {
        return $this === self::XChaCha20Poly1305 ? 'sodium' : 'openssl';
    }

    /**
     * @param string $bound  without which it does not open
     * @param string $before stands in front of it
     */
    public function sealed(string $bytes, string $bound, string $key, string $before): string
    {
        if ($this === self::XChaCha20Poly1305) {
            $nonce = random_bytes(SODIUM_CRYPTO_AEAD_XCHACHA20POLY1305_IETF_NPUBBYTES);

            return $before . $nonce . sodium_crypto_aead_xchacha20poly1305_ietf_encrypt($bytes, $bound, $nonce, $key);
        }
        $salt = random_bytes(self::SALT);
        $iv = random_bytes(self::IV);
        $sealed = openssl_encrypt(
            $bytes,
            $this->value,
            hash_hmac('sha256', $salt, $key, true),
            OPENSSL_RAW_DATA,
            $iv,
            $tag,
            $bound,
            self::TAG,
        );

        return $sealed === false ? throw InvalidSeal::failed() : $before . $salt . $iv . $tag . $sealed;
    }

    /**
     * @param int $from where it begins
     *
     * @return string|null null: it was not sealed by this key, or not bound to this, or is damaged
     */
    public function opened(string $sealed, int $from, string $bound, string $key): ?string
    {
        $size = \strlen($sealed) - $from;
        if ($this === self::XChaCha20Poly1305) {
            $nonce = SODIUM_CRYPTO_AEAD_XCHACHA20POLY1305_IETF_NPUBBYTES;
            if ($size < $nonce + SODIUM_CRYPTO_AEAD_XCHACHA20POLY1305_IETF_ABYTES) {
                return null;
            }
            $bytes = sodium_crypto_aead_xchacha20poly1305_ietf_decrypt(
                substr($sealed, $from + $nonce),
                $bound,
                substr($sealed, $from, $nonce),
                $key,
            );

            return $bytes === false ? null : $bytes;
        }
        $head = self::SALT + self::IV + self::TAG;
        if ($size < $head) {
            return null;
        }
        $bytes = openssl_decrypt(
            substr($sealed, $from + $head),
            $this->value,
            hash_hmac('sha256', substr($sealed, $from, self::SALT), $key, true),
            OPENSSL_RAW_DATA,
            substr($sealed, $from + self::SALT, self::IV),
            substr($sealed, $from + self::SALT + self::IV, self::TAG),
            $bound,
        );

        return $bytes === false ? null : $bytes;
    }
}
