<?php

declare(strict_types=1);

namespace Larder\Store;

use Throwable;

/**
 * The bytes of a stored value, read: the value, or why there is none. Nothing is thrown, and no object is handed out
 * whose class is not there: for a cache that is a miss like damaged bytes, since the value can be made anew.
 *
 * @internal
 */
final readonly class StoredBytes
{
    /** What the engine says of a class, an enum or a case that is not there. */
    private const GONE = '/Undefined constant|not found|does not exist|is not an enum|has no unserializer/';

    /**
     * @param string|null $flaw   of no value: Unreadable or Class…, as in Larder\FailureKind
     * @param string      $reason what was said of it; "": nothing
     */
    private function __construct(
        public mixed $value,
        public ?string $flaw = null,
        private string $reason = '',
    ) {}

    /**
     * Of serialize().
     *
     * @param Classes|null $classes null: all
     */
    public static function read(string $bytes, ?Classes $classes = null): self
    {
        // A text that contains what looks like an object only takes a little longer.
        if (!ClassNames::areMaybeIn($bytes)) {
            $value = @unserialize($bytes);

            return $value !== false || $bytes === 'b:0;' ? new self($value) : self::damaged($bytes);
        }
        $refused = $classes?->refusedIn($bytes);
        if ($refused !== null) {
            return self::refused($refused);
        }
        $options = ['allowed_classes' => $classes?->allowed() ?? true];
        $read = self::by(static fn(string $bytes): mixed => unserialize($bytes, $options), $bytes);

        return $read->flaw === null && $read->value === false && $bytes !== 'b:0;' ? self::damaged($bytes) : $read;
    }

    /** Of igbinary_serialize(), for a value that is not null. */
    public static function readIgbinary(string $bytes, ?Classes $classes = null): self
    {
        if (!\function_exists('igbinary_unserialize')) {
            return new self(null, 'Unreadable', 'the extension igbinary is not loaded');
        }
        $refused = $classes?->refusedInIgbinary($bytes);
        if ($refused !== null) {
            return self::refused($refused);
        }
        $read = self::by(igbinary_unserialize(...), $bytes);

        return $read->flaw === null && ($read->value === null || $read->value === false)
            ? self::damaged($bytes)
            : $read;
    }

    public static function value(mixed $value): self
    {
        return new self($value);
    }

    /** @param string $name of Classes */
    private static function refused(string $name): self
    {
        return new self(null, $name === '' ? 'Unreadable' : 'ClassRefused', $name);
    }

    public static function inNoForm(): self
    {
        return new self(null, 'Unreadable');
    }

    /** As the messages of Larder\Failure, without the key and the server. */
    public function sentence(): string
    {
        $sentence = match ($this->flaw) {
            'ClassGone' => 'what is of a class, an enum or a case that is not there any more: have it made anew, or '
                . 'bring that back',
            'ClassRefused' => 'an object of a class that $objects does not list, and it was not made: list the class, '
                . 'store an array, or see who writes to this server',
            'ClassChanged' => 'an object that its class does not take any more: have it made anew, or let the class '
                . 'read what earlier ones wrote',
            default => 'what is damaged or in no format that we know: see that all clients of this key have the same '
                . 'options',
        };

        return 'holds ' . $sentence . ($this->reason === '' ? '' : " ($this->reason)");
    }

    /** PHP calls it for a class that is not there. Without it the object would come back as an incomplete one. */
    public static function gone(string $class): never
    {
        throw new ClassIsGone("class $class");
    }

    /** @param callable(string): mixed $read */
    private static function by(callable $read, string $bytes): self
    {
        $canBeSet = \function_exists('ini_set');
        $callback = $canBeSet ? ini_set('unserialize_callback_func', self::class . '::gone') : '';
        try {
            return new self(@$read($bytes));
        } catch (ClassIsGone $exception) {
            return new self(null, 'ClassGone', $exception->getMessage());
        } catch (Throwable $exception) {
            return new self(null, 'ClassChanged', $exception::class . ': ' . $exception->getMessage());
        } finally {
            if ($canBeSet) {
                ini_set('unserialize_callback_func', (string) $callback);
            }
        }
    }

    private static function damaged(string $bytes): self
    {
        // unserialize() says of an enum only where it stopped.
        preg_match_all('/E:\d+:"([^":]+):([^":]+)";/', $bytes, $cases, PREG_SET_ORDER);
        foreach ($cases as [, $enum, $case]) {
            if (!enum_exists($enum) || !\defined("$enum::$case")) {
                return new self(null, 'ClassGone', "case $enum::$case");
            }
        }
        $said = error_get_last()['message'] ?? '';
        if (preg_match('/^(?:igbinary_)?unserialize\w*(?:\(\))?: (.*)$/s', $said, $match) !== 1) {
            return new self(null, 'Unreadable');
        }
        // It is not to be taken for what is said of the next one.
        error_clear_last();

        return new self(null, preg_match(self::GONE, $match[1]) === 1 ? 'ClassGone' : 'Unreadable', $match[1]);
    }
}
