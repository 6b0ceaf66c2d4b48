<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Memcached;
use TypeError;

/**
 * Of which classes a value from a server may be: whoever writes there chooses the bytes that objects are made of.
 * Larder\Memcached's `objects` means the same.
 *
 * @internal
 */
final readonly class Classes
{
    /** Of PHP, and no more than what they are given. */
    private const USUAL = [
        'stdclass' => true,
        'datetime' => true,
        'datetimeimmutable' => true,
        'datetimezone' => true,
        'dateinterval' => true,
        'arrayobject' => true,
    ];

    /**
     * @param array<string, true>|null $names in lower case; null: all
     * @param bool                     $enums whether those that are loaded are allowed without being listed
     */
    private function __construct(private ?array $names, private bool $enums = true) {}

    /**
     * @param array<array-key, mixed>|bool $objects true: all; false: none; a list: the usual ones and those
     *
     * @throws TypeError if something in it is no name
     */
    public static function of(array|bool $objects): self
    {
        if (!\is_array($objects)) {
            return $objects ? new self(null) : new self([], false);
        }
        $names = self::USUAL;
        foreach ($objects as $name) {
            if (!\is_string($name) || $name === '') {
                throw new TypeError(\sprintf(
                    '$objects must be a list of names of classes, there is %s in it',
                    $name === '' ? '""' : get_debug_type($name),
                ));
            }
            $names[strtolower(ltrim($name, '\\'))] = true;
        }

        return new self($names);
    }

    /** Those that a client decodes itself. */
    public static function ofClient(Memcached $memcached): self
    {
        $objects = $memcached->settings()['objects'];

        return self::of(\is_array($objects) ? $objects : $objects === true);
    }

    /** @return list<string>|true as unserialize() takes it */
    public function allowed(): array|true
    {
        return $this->names === null ? true : array_keys($this->names);
    }

    /** What serialize() wrote that is not allowed: "class NAME" or "enum NAME"; "" for damaged bytes; null: nothing. */
    public function refusedIn(string $bytes): ?string
    {
        if ($this->names === null || !ClassNames::areMaybeIn($bytes)) {
            return null;
        }
        $all = ClassNames::maybeIn($bytes);
        // What looks like an object may be a part of a string.
        return $this->refused($all) === null ? null : $this->refused(ClassNames::in($bytes));
    }

    /** The same of igbinary_serialize(). */
    public function refusedInIgbinary(string $bytes): ?string
    {
        return $this->names === null || !ClassNames::areMaybeInIgbinary($bytes)
            ? null
            : $this->refused(ClassNames::inIgbinary($bytes));
    }

    /** @param list<array{string, bool}>|null $names null: of damaged bytes */
    private function refused(?array $names): ?string
    {
        if ($names === null) {
            return '';
        }
        foreach ($names as [$name, $isEnum]) {
            // No name that nobody has listed is given to the autoloader.
            if (!isset($this->names[strtolower($name)]) && !($isEnum && $this->enums && enum_exists($name, false))) {
                return ($isEnum ? 'enum ' : 'class ') . $name;
            }
        }

        return null;
    }
}
