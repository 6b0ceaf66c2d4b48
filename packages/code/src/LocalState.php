<?php

declare(strict_types=1);

namespace Larder\Code;

/**
 * What a host remembers of its releases: the newest that it accepted, and those that it served.
 *
 * @internal
 */
final readonly class LocalState
{
    /**
     * @param int          $number    of the newest release that was accepted; 0: none was
     * @param string       $release   its id
     * @param list<string> $history   what was served before, the last one last
     * @param list<string> $withdrawn what was rolled back, and is switched to only by its name
     */
    public function __construct(
        public int $number = 0,
        public string $release = '',
        public array $history = [],
        public array $withdrawn = [],
    ) {}

    public static function decode(string $json): self
    {
        $read = json_decode($json, true, 4);
        $read = \is_array($read) ? $read : [];
        $number = $read['number'] ?? 0;
        $release = $read['release'] ?? '';

        return new self(
            \is_int($number) ? $number : 0,
            \is_string($release) ? $release : '',
            self::ids($read['history'] ?? null),
            self::ids($read['withdrawn'] ?? null),
        );
    }

    public function encode(): string
    {
        return json_encode(get_object_vars($this), JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT) . "\n";
    }

    public function accepted(int $number, string $release): self
    {
        return new self($number, $release, $this->history, $this->withdrawn);
    }

    /** Before another release than this one is served. */
    public function leaving(?string $release, string $for): self
    {
        $last = $this->history === [] ? null : $this->history[array_key_last($this->history)];
        $history = $release === null || $release === $last ? $this->history : [...$this->history, $release];

        return new self(
            $this->number,
            $this->release,
            \array_slice($history, -50),
            array_values(array_diff($this->withdrawn, [$for])),
        );
    }

    /**
     * Before an earlier release takes the place of this one. It stays in the history, so that whoever is killed between
     * the two can do it again.
     */
    public function withdrawing(string $release, string $for): self
    {
        $at = array_keys($this->history, $for, true);

        return new self(
            $this->number,
            $this->release,
            \array_slice($this->history, 0, $at === [] ? 0 : end($at) + 1),
            \array_slice([...array_diff($this->withdrawn, [$release]), $release], -50),
        );
    }

    /** @return list<string> */
    private static function ids(mixed $list): array
    {
        return array_values(array_filter(
            \is_array($list) ? $list : [],
            static fn(mixed $id): bool => \is_string($id) && Paths::isRelease($id),
        ));
    }
}
