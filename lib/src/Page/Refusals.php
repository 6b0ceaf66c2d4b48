<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * Why pages were not stored, for `larder explain` and for the next request of such a page.
 *
 * A fixed number of small files, so that a crawler cannot fill anything; pages that share one push each other out.
 */
final readonly class Refusals
{
    private const PLACES = 1024;

    public function __construct(
        private string $directory,
        private Files $files = new LocalFiles(),
    ) {}

    /** Best effort: a note that cannot be written is lost. */
    public function note(string $page, string $reason, int $now): void
    {
        $path = $this->path($page);
        $fresh = $path . '.' . bin2hex(random_bytes(8));
        try {
            $this->files->makeDirectory($this->directory);
            $this->files->write($fresh, json_encode(['page' => $page, 'reason' => $reason, 'at' => $now], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE));
            $this->files->rename($fresh, $path);
        } catch (\Larder\Exception\PageStoreFailed) {
            return;
        }
    }

    /** @return array{reason: string, at: int}|null at: Unix time */
    public function of(string $page): ?array
    {
        $note = json_decode($this->files->read($this->path($page))['bytes'] ?? '', true);
        if (!\is_array($note) || ($note['page'] ?? null) !== $page || !\is_string($note['reason'] ?? null) || !\is_int($note['at'] ?? null)) {
            return null;
        }

        return ['reason' => $note['reason'], 'at' => $note['at']];
    }

    /** @return array{reason: string, at: int}|null of the latest time bucket of a URI */
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
        return $this->directory . '/' . crc32($page) % self::PLACES;
    }
}
