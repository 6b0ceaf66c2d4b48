<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Tracker\RecordingPdo;
use Larder\Tests\Support\NewsSite;
use LogicException;

/** What tests of values ask of a NewsSite's database. */
final class Ledgered
{
    public static function title(RecordingPdo $database, int $id = 4): string
    {
        $title = $database->select(
            'SELECT title FROM news WHERE id = ?',
            [$id],
            NewsSite::registry()->row('news', $id),
        )[0]['title']
            ?? null;

        return \is_string($title) ? $title : throw new LogicException('Every item has a title.');
    }

    public static function write(RecordingPdo $database, string $title, int $id = 4): void
    {
        $database->run('UPDATE news SET title = ? WHERE id = ?', [$title, $id]);
    }
}
