<?php

declare(strict_types=1);

namespace BenchSite;

use Closure;
use Larder\Page\Attribute\Reads;
use Larder\Sql\Tracker\RecordingPdo;
use PDO;

/** A page of two queries. */
#[Reads('item', 'note')]
final readonly class ItemController
{
    public function __construct(private PDO $database) {}

    /** @param string $name `ITEM` or `ITEM-WORD`: each word is another page */
    public function show(string $name): void
    {
        $id = (int) $name;
        [$item] = $this->rows('SELECT id, body FROM item WHERE id = ?', $id, 'item');
        echo '<!DOCTYPE html><title>', htmlspecialchars($name), '</title><p>', $item['body'];
        foreach ($this->rows('SELECT words FROM note WHERE item = ? ORDER BY id', $id, 'note') as $note) {
            echo '<p>', htmlspecialchars((string) $note['words']);
        }
    }

    /** @return list<array<string, scalar|null>> */
    private function rows(string $sql, int $id, string $table): array
    {
        $database = $this->database;
        if ($database instanceof RecordingPdo && $database->getAttribute(PDO::ATTR_DRIVER_NAME) === 'sqlite') {
            $registry = $database->registry();
            $name = $table === 'item' ? $registry->row('item', $id) : $registry->set('note', ['item' => $id]);

            return $database->select($sql, [$id], $name);
        }
        $statement = $database->prepare($sql);
        $statement->execute([$id]);
        /** @var list<array<string, scalar|null>> $rows */
        $rows = $statement->fetchAll(PDO::FETCH_ASSOC);

        return $rows;
    }
}

/** A page of 2 KB with some parts of 450 bytes. */
#[Reads('note', trust: true)]
final readonly class PartController
{
    public static function part(string $name): string
    {
        return "<section><h2>$name</h2>" . str_repeat('<p>Some words of a part.</p>', 16) . "</section>\n";
    }

    /** @param Closure(int): string $include */
    public static function page(int $parts, Closure $include): string
    {
        $text = "<!DOCTYPE html><title>A page</title>\n" . str_repeat("<p>Some words of a page, and more.</p>\n", 50);
        for ($number = 1; $number <= $parts; ++$number) {
            $text .= $include($number) . '<hr>';
        }

        return $text . "</html>\n";
    }
}
