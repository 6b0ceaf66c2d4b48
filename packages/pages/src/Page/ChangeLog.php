<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\Name;
use Larder\Metrics\SharedFile;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;

/**
 * The last changes of this host, with the names and the pages that each dropped: a file of a bounded length in the
 * site's directory. What cannot be written is lost, and no writer waits for more than 10 ms.
 *
 * @internal
 *
 * @phpstan-type Note array{
 *     at: float, by: string, cause: string, names: list<string>, more_names: int, pages: list<string>|null,
 *     more_pages: int,
 * }
 */
final readonly class ChangeLog
{
    /** Bytes of the file at most. Of a longer one the newer half stays. */
    private const MOST = 256 << 10;

    /** Names, and pages, of one change that are kept; of the others, their number. */
    private const EACH = 20;

    private SharedFile $file;

    public function __construct(
        string $path,
        private ClockInterface $clock = new SystemClock(),
        private int $most = self::MOST,
    ) {
        $this->file = new SharedFile($path);
    }

    /** @param string $by who wrote: a request or a script */
    public function note(AnnouncedChange $change, string $by): void
    {
        $names = array_map(static fn(Name $name): string => $name->name, $change->names);
        $note = json_encode([
            'at' => round((float) $this->clock->now()->format('U.u'), 3),
            'by' => $by,
            'cause' => self::cause($change),
            'names' => \array_slice($names, 0, self::EACH),
            'more_names' => max(0, \count($names) - self::EACH),
            'pages' => $change->dropped === null ? null : \array_slice($change->dropped, 0, self::EACH),
            'more_pages' => max(0, \count($change->dropped ?? []) - self::EACH),
        ], JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE);
        $this->file->append($note, $this->most);
    }

    /**
     * @param string $like only changes with this in a name, a page or who wrote
     *
     * @return list<Note> latest first; pages: null stands for all
     */
    public function recent(int $limit, string $like = ''): array
    {
        $found = [];
        foreach (array_reverse(explode("\n", $this->file->read())) as $line) {
            $note = $line === '' || \count($found) >= $limit ? null : self::parsed(json_decode($line, true));
            if ($note !== null && ($like === '' || self::has($note, $like))) {
                $found[] = $note;
            }
        }

        return $found;
    }

    /** Why pages went: `rows`, `bulk`, `room` without a change, or `all`. */
    public static function cause(AnnouncedChange $change): string
    {
        $bulk = array_filter($change->names, static fn(Name $name): bool => $name->isAll());

        return match (true) {
            $change->dropped === null => 'all',
            $change->names === [] => 'room',
            $bulk !== [] => 'bulk',
            default => 'rows',
        };
    }

    /** @param Note $note */
    private static function has(array $note, string $like): bool
    {
        foreach ([$note['by'], ...$note['names'], ...$note['pages'] ?? []] as $text) {
            if (str_contains($text, $like)) {
                return true;
            }
        }

        return false;
    }

    /** @return Note|null null: this is none */
    private static function parsed(mixed $note): ?array
    {
        if (!\is_array($note) || !is_numeric($note['at'] ?? null)) {
            return null;
        }
        $text = static fn(string $key): string => \is_string($note[$key] ?? null) ? $note[$key] : '';
        $number = static fn(string $key): int => \is_int($note[$key] ?? null) ? $note[$key] : 0;
        $texts = static fn(string $key): array => array_values(
            array_filter(\is_array($note[$key] ?? null) ? $note[$key] : [], is_string(...)),
        );

        return [
            'at' => (float) $note['at'],
            'by' => $text('by'),
            'cause' => $text('cause'),
            'names' => $texts('names'),
            'more_names' => $number('more_names'),
            'pages' => isset($note['pages']) ? $texts('pages') : null,
            'more_pages' => $number('more_pages'),
        ];
    }
}
