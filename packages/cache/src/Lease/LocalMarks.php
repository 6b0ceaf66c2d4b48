<?php

declare(strict_types=1);

namespace Larder\Lease;

/**
 * What the processes of one user on one host wait for while they hold leases of the host: files beside those leases.
 *
 * @internal
 */
final readonly class LocalMarks
{
    /** Monotonic nanoseconds at which it ends. */
    private const END = 'J';
    private const END_BYTES = 8;

    private function __construct(private string $start) {}

    /**
     * @param string      $name  of the values
     * @param string|null $below null: the system's directory for temporary files
     *
     * @return self|null null: this host has no directory that this user alone may write to
     */
    public static function named(string $name, ?string $below = null): ?self
    {
        $directory = LocalDirectory::of($below);

        return $directory === null ? null : new self($directory . '/' . hash('xxh128', $name) . '.');
    }

    /** @param list<string> $wanted keys that the maker of the key waits for */
    public function set(string $key, array $wanted, float $seconds): bool
    {
        $path = $this->path($key);
        $new = $path . '.' . getmypid();
        $end = pack(self::END, (int) (hrtime(true) + $seconds * 1e9));
        $content = $end . implode(' ', array_map(bin2hex(...), $wanted));
        if (@file_put_contents($new, $content) === \strlen($content) && @rename($new, $path)) {
            return true;
        }
        @unlink($new);

        return false;
    }

    /** @return list<string> */
    public function of(string $key): array
    {
        $content = (string) @file_get_contents($this->path($key));
        $end = \strlen($content) < self::END_BYTES ? false : unpack(self::END, $content);
        if ($end === false || $end[1] < hrtime(true)) {
            return [];
        }
        $wanted = array_map(
            static fn(string $key): string => (string) @hex2bin($key),
            explode(' ', substr($content, self::END_BYTES)),
        );

        return array_values(array_filter($wanted, static fn(string $key): bool => $key !== ''));
    }

    public function remove(string $key): void
    {
        @unlink($this->path($key));
    }

    private function path(string $key): string
    {
        return $this->start . hash('xxh128', $key) . '.waits';
    }
}
