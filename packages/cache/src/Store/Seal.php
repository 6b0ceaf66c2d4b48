<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\InvalidSeal;
use Larder\Store\Sealing\Cipher;
use Larder\Store\Sealing\SealFlaw;
use SensitiveParameter;
use SensitiveParameterValue;

/**
 * Keys by which a store encrypts its values, so that who can read or write on its server cannot read, make, change or
 * exchange them. A value is bound to its key and to the namespace of its store. What cannot be opened is a miss: it is
 * counted, logged and never decoded, and neither is what is not sealed.
 *
 * The first key seals, all of them open: to change the key, put the new one in front on all hosts, and take the old one
 * away when its values have ended.
 *
 * Open stay names of keys, sizes and times, has(), and whole numbers that increment() counts. Who can write on the
 * server can remove values, and put back an older one of the same key: also a session of before a logout, and a version
 * of data or a gate, so that an old value counts again.
 */
final readonly class Seal
{
    /** Every sealed value begins with it, as no number does that a server would count. */
    private const MARK = "\x7f";

    private const ID_BYTES = 4;

    /** Bytes in front: the mark, the cipher's letter and the key's id. */
    private const HEAD = 2 + self::ID_BYTES;

    private Cipher $cipher;

    /** What values begin with that are sealed here. */
    private string $head;

    /** Hides the keys from dumps, and keeps them from being serialized. */
    private SensitiveParameterValue $keys;

    /**
     * @param string|list<string> $keys one or more, each 32 random bytes in base64, as newKey() makes them; all hosts
     *     must have them
     * @param 'xchacha20-poly1305'|'aes-256-gcm'|null $cipher of what is sealed here, by the extension sodium or
     *     openssl; null: the first of them that is loaded. Both are opened
     * @param bool $counters whether get() and read() give whole numbers that are not sealed, and set() stores them so:
     *     for counters, which a server cannot count sealed. Then who can write there can put a number in the place of
     *     any value. False: increment() alone gives them
     *
     * @throws InvalidSeal
     */
    public function __construct(
        #[SensitiveParameter]
        string|array $keys,
        ?string $cipher = null,
        public bool $counters = false,
    ) {
        $this->cipher = Cipher::chosen($cipher);
        $derived = [];
        $number = 0;
        foreach ((array) $keys as $text) {
            ++$number;
            $key = base64_decode($text, true);
            if ($key === false || \strlen($key) !== 32) {
                throw InvalidSeal::key($number);
            }
            $id = substr(hash_hmac('sha256', 'larder seal', $key, true), 0, self::ID_BYTES);
            if (isset($derived[$id])) {
                throw InvalidSeal::twice($number);
            }
            foreach (Cipher::cases() as $each) {
                $derived[$id][$each->letter()] = hash_hmac('sha256', 'larder ' . $each->value, $key, true);
            }
        }
        $first = array_key_first($derived) ?? throw InvalidSeal::none();
        $this->head = self::MARK . $this->cipher->letter() . $first;
        $this->keys = new SensitiveParameterValue($derived);
    }

    /** A key that was never used before. */
    public static function newKey(): string
    {
        return base64_encode(random_bytes(32));
    }

    /**
     * @internal
     *
     * @param string $bound which value it is; it opens for no other one
     * @param string $before what is to stand in front of it: a large text is not copied more often than need be
     */
    public function sealed(string $bytes, string $bound, string $before = ''): string
    {
        return $this->cipher->sealed($bytes, $bound, $this->key($this->head) ?? '', $before . $this->head);
    }

    /**
     * @internal
     *
     * @param int $from where it begins
     */
    public function opened(string $sealed, string $bound, int $from = 0): string|SealFlaw
    {
        $head = substr($sealed, $from, self::HEAD);
        if (\strlen($head) < self::HEAD || $head[0] !== self::MARK) {
            return SealFlaw::Unsealed;
        }
        $cipher = Cipher::of($head[1]);
        $key = $this->key($head);

        return match (true) {
            $cipher === null => SealFlaw::Unsealed,
            $key === null => SealFlaw::SealKeyUnknown,
            !$cipher->isThere() => SealFlaw::SealCipherGone,
            default => $cipher->opened($sealed, $from + self::HEAD, $bound, $key) ?? SealFlaw::SealBroken,
        };
    }

    /** @param string $head of a sealed value */
    private function key(string $head): ?string
    {
        return $this->keys->getValue()[substr($head, 2)][$head[1]] ?? null;
    }
}
