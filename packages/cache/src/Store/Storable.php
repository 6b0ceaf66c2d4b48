<?php

declare(strict_types=1);

namespace Larder\Store;

use Exception;
use Larder\Exception\UnstorableValue;

/**
 * Turns a value into bytes from which the same value comes back. References are resolved; a value that would not come
 * back is refused.
 *
 * @internal
 */
final readonly class Storable
{
    /** How deep arrays may be nested; an array that holds itself would have no end. */
    private const DEEPEST = 512;

    private const ALLOWED = 'Stored are null, bool, int, float, string, array, enums and objects that can be '
        . 'serialized.';

    /**
     * The bytes that unserialize() takes.
     *
     * @param Classes|null $classes that readers will take; null: all
     *
     * @throws UnstorableValue
     */
    public static function serialized(mixed $value, ?Classes $classes = null): string
    {
        $bytes = self::written($value, serialize(...));

        return self::allowed($bytes, $classes?->refusedIn($bytes));
    }

    /**
     * The bytes that igbinary_unserialize() takes.
     *
     * @throws UnstorableValue
     */
    public static function serializedByIgbinary(mixed $value, Classes $classes): string
    {
        $bytes = self::written($value, igbinary_serialize(...));

        return self::allowed($bytes, $classes->refusedInIgbinary($bytes));
    }

    /** @throws UnstorableValue */
    private static function allowed(string $bytes, ?string $refused): string
    {
        return $refused === null ? $bytes : throw new UnstorableValue($refused === ''
            ? '$value cannot be stored: what an object in it gives for itself is in no form that can be read again'
            : "\$value cannot be stored: the $refused in it is one that readers would not take: list it in "
                . '$objects, or store an array');
    }

    /**
     * @param callable(mixed): (string|null) $write
     *
     * @throws UnstorableValue
     */
    private static function written(mixed $value, callable $write): string
    {
        $plain = \is_array($value) || \is_resource($value) ? self::plain($value, 0) : [$value];
        try {
            $bytes = $plain === null ? null : $write(\is_array($value) ? $plain : $value);
        } catch (Exception $exception) {
            // PHP throws a plain Exception for "Serialization of 'Closure' is not allowed". Any other exception was
            // thrown by an object.
            if ($exception::class !== Exception::class) {
                throw $exception;
            }
            throw self::unstorable($value, '$value', 0)
                ?? new UnstorableValue('$value: ' . $exception->getMessage() . '. ' . self::ALLOWED, 0, $exception);
        }

        return $bytes
            ?? throw self::unstorable($value, '$value', 0)
            ?? new UnstorableValue('$value cannot be stored. ' . self::ALLOWED);
    }

    /**
     * A copy without references; null: there is something in it that serialize() takes and does not give back.
     *
     * @return array<mixed>|null
     */
    private static function plain(mixed $value, int $depth): ?array
    {
        if (!\is_array($value) || $depth >= self::DEEPEST) {
            return null;
        }
        $copy = [];
        foreach ($value as $key => $element) {
            if (\is_array($element)) {
                $element = self::plain($element, $depth + 1);
                if ($element === null) {
                    return null;
                }
            } elseif (\is_resource($element)) {
                return null;
            }
            $copy[$key] = $element;
        }

        return $copy;
    }

    /** The first place that cannot be stored. */
    private static function unstorable(mixed $value, string $place, int $depth): ?UnstorableValue
    {
        if (\is_resource($value)) {
            return new UnstorableValue("$place is a resource. " . self::ALLOWED);
        }
        if (\is_object($value)) {
            try {
                serialize($value);
            } catch (Exception $exception) {
                return new UnstorableValue("$place: {$exception->getMessage()}. " . self::ALLOWED, 0, $exception);
            }
        }
        if (!\is_array($value)) {
            return null;
        }
        if ($depth >= self::DEEPEST) {
            return new UnstorableValue("$place is too deep, or holds itself. " . self::ALLOWED);
        }
        foreach ($value as $key => $element) {
            $found = self::unstorable($element, $place . '[' . var_export($key, true) . ']', $depth + 1);
            if ($found !== null) {
                return $found;
            }
        }

        return null;
    }
}
