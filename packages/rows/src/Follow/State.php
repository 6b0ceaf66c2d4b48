<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Follow\Exception\LogUnreadable;

/**
 * @internal What a follower keeps in its directory: how far it has come, what it does, and a lock, so that there is
 * one.
 *
 * A file is written beside and renamed, so that it is whole. After a crash of the machine an older one may be there:
 * then some work is done again.
 */
final readonly class State
{
    public function __construct(private string $directory) {}

    /**
     * @return resource|null held until it is closed; null: another one runs
     *
     * @throws LogUnreadable
     */
    public function lock(): mixed
    {
        if (!is_dir($this->directory) && !@mkdir($this->directory, 0o700, true)) {
            throw LogUnreadable::because("the follower cannot make its directory $this->directory");
        }
        // Not for the program that reads the log: it may outlive a follower that is killed.
        $lock = $this->directory . '/lock';
        // A pipe would never end.
        $file = file_exists($lock) && !is_file($lock) ? false : @fopen($lock, 'ce');
        if ($file === false) {
            throw LogUnreadable::because("the follower cannot write to its directory $this->directory");
        }

        return flock($file, LOCK_EX | LOCK_NB) ? $file : null;
    }

    public function isRunning(): bool
    {
        $lock = $this->directory . '/lock';
        $file = is_file($lock) ? @fopen($lock, 'r') : false;
        if ($file === false) {
            return false;
        }
        $isFree = flock($file, LOCK_SH | LOCK_NB);
        fclose($file);

        return !$isFree;
    }

    /** @return array{Position, string|null}|null the position that was acknowledged last, and the schema there */
    public function position(): ?array
    {
        $stored = $this->read('position');
        $position = Position::of($stored);
        $schema = $stored['schema'] ?? null;

        return $position === null ? null : [$position, \is_string($schema) ? $schema : null];
    }

    /** @throws LogUnreadable */
    public function acknowledge(Position $position, ?string $schema): void
    {
        $this->write('position', $position->stored() + ['schema' => $schema]);
    }

    /** @return array<string, mixed> */
    public function status(): array
    {
        return $this->read('status');
    }

    /** @param array<string, scalar|null> $status */
    public function tell(array $status): void
    {
        try {
            $this->write('status', $status);
        } catch (LogUnreadable) {
            return;
        }
    }

    /** @return array<string, mixed> */
    private function read(string $name): array
    {
        $file = "$this->directory/$name.json";
        $read = json_decode(is_file($file) ? (string) @file_get_contents($file) : '', true);

        /** @var array<string, mixed> */
        return \is_array($read) ? $read : [];
    }

    /** @param array<string, mixed> $values */
    private function write(string $name, array $values): void
    {
        $path = "$this->directory/$name.json";
        $text = (string) json_encode($values, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES);
        $isWritten = @file_put_contents("$path.new", $text) === \strlen($text);
        if (!$isWritten || !@rename("$path.new", $path)) {
            throw LogUnreadable::because("the follower cannot write $path");
        }
    }
}
