<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * The reasons why pages were not stored, for `larder explain` and for the next requests of such a page.
 *
 * They lie in a fixed number of small files, so that a crawler cannot fill the disk. A file keeps the last of its
 * pages.
 */
final readonly class Refusals
{
    private const FILES = 1024;

    public function __construct(
        private string $directory,
        private Files $files = new LocalFiles(),
    ) {}

    /** A reason that cannot be written is lost. */
    public function note(string $page, string $reason, int $now): void
    {
        $path = $this->path($page);
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        try {
            $this->files->makeDirectory($this->directory);
            $this->files->write($fresh, json_encode(
                ['page' => $page, 'reason' => $reason, 'at' => $now],
                JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE,
            ));
            $this->files->rename($fresh, $path);
        } catch (\Larder\Exception\PageStoreFailed) {
            return;
        }
    }

    /** @return array{reason: string, at: int}|null at: Unix time */
    public function of(string $page): ?array
    {
        $note = json_decode($this->files->read($this->path($page))['bytes'] ?? '', true);
        if (!\is_array($note) || ($note['page'] ?? null) !== $page) {
            return null;
        }
        ['reason' => $reason, 'at' => $at] = $note + ['reason' => null, 'at' => null];

        return \is_string($reason) && \is_int($at) ? ['reason' => $reason, 'at' => $at] : null;
    }

    /** @return array{reason: string, at: int}|null for the latest time bucket of a URI */
    public function latest(string $uri): ?array
    {
        $latest = null;
        foreach (array_keys($this->files->entries($this->directory)) as $name) {
            $note = json_decode($this->files->read($this->directory . '/' . $name)['bytes'] ?? '', true);
            $page = \is_array($note) && \is_string($note['page'] ?? null) ? $note['page'] : '';
            $refusal = preg_match('~^/@[^/]+' . preg_quote($uri, '~') . '$~D', $page) === 1 ? $this->of($page) : null;
            if ($refusal !== null && $refusal['at'] > ($latest['at'] ?? 0)) {
                $latest = $refusal;
            }
        }

        return $latest;
    }

    private function path(string $page): string
    {
        return $this->directory . '/' . crc32($page) % self::FILES;
    }
}
