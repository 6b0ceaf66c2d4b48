<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The reasons why pages were not stored, for `larder explain` and for the next requests of such a page.
 *
 * They lie in a fixed number of small files, so that a crawler cannot fill the disk. A file keeps the last of its
 * pages.
 *
 * @internal
 */
final readonly class Refusals
{
    private const FILES = 1024;

    /** Reasons have names of data in them. */
    private const MODE = 0o700;

    public function __construct(
        private string $directory,
        private Files $files = new Files(),
    ) {}

    /** A reason that cannot be written is lost. */
    public function note(string $page, string $reason, int $now): void
    {
        $path = $this->path($page);
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        try {
            $this->files->makeDirectory($this->directory, self::MODE);
            $this->files->write($fresh, json_encode(
                ['page' => $page, 'reason' => $reason, 'at' => $now, 'times' => 1 + ($this->of($page)['times'] ?? 0)],
                JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE,
            ));
            $this->files->rename($fresh, $path);
        } catch (\Larder\Sql\Exception\PageStoreFailed) {
            return;
        }
    }

    /**
     * @return array{reason: string, at: int, times: int}|null at: Unix time; times: how often it was refused, by
     *     whatever reasons, since another page took its file
     */
    public function of(string $page): ?array
    {
        $note = json_decode($this->files->read($this->path($page))['bytes'] ?? '', true);
        if (!\is_array($note) || ($note['page'] ?? null) !== $page) {
            return null;
        }
        ['reason' => $reason, 'at' => $at, 'times' => $times] = $note + ['reason' => null, 'at' => null, 'times' => 1];

        return \is_string($reason) && \is_int($at)
            ? ['reason' => $reason, 'at' => $at, 'times' => \is_int($times) ? $times : 1]
            : null;
    }

    /** @return array{reason: string, at: int, times: int}|null for the latest time bucket of a URI */
    public function latest(string $uri): ?array
    {
        foreach ($this->recent(self::FILES) as $note) {
            if (preg_match('~^/@[^/]+' . preg_quote($uri, '~') . '$~D', $note['page']) === 1) {
                return ['reason' => $note['reason'], 'at' => $note['at'], 'times' => $note['times']];
            }
        }

        return null;
    }

    /** @return list<array{page: string, reason: string, at: int, times: int}> latest first */
    public function recent(int $limit): array
    {
        $notes = [];
        foreach (array_keys($this->files->entries($this->directory)) as $name) {
            $note = json_decode($this->files->read($this->directory . '/' . $name)['bytes'] ?? '', true);
            $page = \is_array($note) && \is_string($note['page'] ?? null) ? $note['page'] : '';
            $refusal = $page === '' ? null : $this->of($page);
            if ($refusal !== null) {
                $notes[] = ['page' => $page] + $refusal;
            }
        }
        usort($notes, static fn(array $one, array $other): int => $other['at'] <=> $one['at']);

        return \array_slice($notes, 0, $limit);
    }

    private function path(string $page): string
    {
        return $this->directory . '/' . crc32($page) % self::FILES;
    }
}
