<?php

declare(strict_types=1);

namespace App\Repository;

use Larder\Sql\Tracker\RecordingPdo;

/**
 * The comments, by SQL.
 *
 * @phpstan-import-type Comment from Comments
 */
final readonly class SqlComments implements Comments
{
    public function __construct(private RecordingPdo $database) {}

    public function of(int $item): array
    {
        /** @var list<Comment> $comments as the files in sql declare the columns */
        $comments = $this->database->select(
            'SELECT id, author, text, created_at FROM comment WHERE news_id = ? ORDER BY id',
            [$item],
        );

        return $comments;
    }

    /** Each item's comments are read by themselves, so a comment drops exactly the lists that show its item. */
    public function counts(array $items): array
    {
        if ($items === []) {
            return [];
        }
        $rows = $this->database->select(
            'SELECT news_id, COUNT(*) AS comments FROM comment'
                . ' WHERE news_id IN (' . implode(', ', $items) . ') GROUP BY news_id',
            [],
        );

        $counts = array_fill_keys($items, 0);
        foreach ($rows as $row) {
            $counts[(int) $row['news_id']] = (int) $row['comments'];
        }

        return $counts;
    }

    public function add(int $item, string $author, string $text, string $at): void
    {
        $insert = 'INSERT INTO comment (news_id, author, text, created_at) VALUES (?, ?, ?, ?)';
        $this->database->run($insert, [$item, $author, $text, $at]);
    }
}
