<?php

declare(strict_types=1);

namespace App\Import;

use App\{Database, Prose, Slug};
use Closure;
use PDO;
use PDOException;
use PDOStatement;
use RuntimeException;

/**
 * Fills an empty site: each item is a Debian package that apt's lists describe. Some items get comments from a seeded
 * generator, so that each import makes the same site.
 */
final class Importer
{
    private const READERS = ['Ada Pepper', 'Bo Quince', 'Cleo Sage', 'Dill Fennimore', 'Elder Thyme', 'Fig Marrow'];
    private const REMARKS = [
        'I use %s every day.', 'How does %s compare with the others?', 'Finally: %s, and it works.',
        'Is %s still kept up?', 'We moved to %s last year and never looked back.',
    ];

    /** @var array<string, PDOStatement> by their text */
    private array $prepared = [];

    private function __construct(
        private readonly Database $place,
        private readonly PDO $database,
    ) {}

    /** Makes the tables of sql/schema.DRIVER.sql, in a new file or in a database that does not have them. */
    public static function create(Database $database): self
    {
        $file = $database->file();
        if ($file !== null && is_file($file)) {
            throw new RuntimeException($file . ' is already there.');
        }
        if ($file !== null && !is_dir(\dirname($file))) {
            mkdir(\dirname($file), recursive: true);
        }
        $connection = $database->openPlain();
        if (self::isFilled($connection)) {
            throw new RuntimeException('The table news is already there.');
        }
        foreach ($database->schema() as $statement) {
            $connection->exec($statement);
        }

        return new self($database, $connection);
    }

    /** Removes the tables of an import that failed. */
    public function undo(): void
    {
        if ($this->database->inTransaction()) {
            $this->database->rollBack();
        }
        foreach (['word', 'comment', 'news'] as $table) {
            $this->database->exec('DROP TABLE ' . $table);
        }
    }

    /**
     * @param list<string>       $packages     files of package stanzas
     * @param list<string>       $translations files of description stanzas
     * @param Closure(int): void $progress     gets the number of items so far
     *
     * @return int items imported
     */
    public function import(array $packages, array $translations, int $limit, Closure $progress): int
    {
        $chosen = $this->packages($packages, $limit);
        $texts = $this->descriptions($translations, $chosen);
        mt_srand(20100920);
        $this->database->beginTransaction();
        $items = 0;
        foreach ($chosen as $name => $package) {
            $text = $texts[$name] ?? null;
            if ($text !== null) {
                $this->item($name, $package, $text);
                $progress(++$items);
            }
        }
        $this->database->commit();
        $this->database->query($this->place->driver === 'mysql' ? 'ANALYZE TABLE news, comment, word' : 'ANALYZE');
        if ($this->place->file() !== null) {
            // The file alone is what is moved to its name. What is still in its log would be lost.
            $this->database->query('PRAGMA wal_checkpoint(TRUNCATE)');
        }

        return $items;
    }

    /**
     * @param list<string> $files
     *
     * @return array<string, array{Section: string, Maintainer: string}> spread over the whole list, by name
     */
    private function packages(array $files, int $limit): array
    {
        $packages = [];
        foreach ($files as $file) {
            foreach ((new Stanzas($file))->read(['Package', 'Section', 'Maintainer']) as $stanza) {
                if (isset($stanza['Package'], $stanza['Section'], $stanza['Maintainer'])) {
                    ['Section' => $section, 'Maintainer' => $maintainer] = $stanza;
                    $packages[$stanza['Package']] ??= ['Section' => $section, 'Maintainer' => $maintainer];
                }
            }
        }
        // The order by a hash makes any limit take packages of every letter and section, the same ones each time.
        uksort($packages, static fn(string $a, string $b): int => crc32($a) <=> crc32($b));

        return \array_slice($packages, 0, $limit);
    }

    /**
     * @param list<string>                                              $files
     * @param array<string, array{Section: string, Maintainer: string}> $packages
     *
     * @return array<string, string> short description, a newline, long description; by package
     */
    private function descriptions(array $files, array $packages): array
    {
        $texts = [];
        foreach ($files as $file) {
            foreach ((new Stanzas($file))->read(['Package', 'Description-en']) as $stanza) {
                $name = $stanza['Package'] ?? '';
                if (isset($packages[$name], $stanza['Description-en'])) {
                    $texts[$name] ??= $stanza['Description-en'];
                }
            }
        }

        return $texts;
    }

    /** @param array{Section: string, Maintainer: string} $package */
    private function item(string $name, array $package, string $text): void
    {
        // The feed is XML, which cannot hold these characters.
        $text = preg_replace('/[\x00-\x08\x0b-\x1f\x7f]/', '', mb_scrub($text, 'UTF-8')) ?? '';
        [$short, $long] = explode("\n", $text, 2) + [1 => ''];
        $title = mb_strimwidth($name . ': ' . $short, 0, 200, '…', 'UTF-8');
        $body = mb_substr(Prose::fromDescription($long), 0, 20_000);
        $opening = Prose::opening($body);
        $summary = ucfirst($opening === '' || str_ends_with($opening, ':') ? $short : $opening);
        $author = trim(preg_replace('/<[^>]*>/', '', $package['Maintainer']) ?? '', " \"");
        $this->insert(
            'INSERT INTO news (title, summary, body, category, author) VALUES (?, ?, ?, ?, ?)',
            [$title, $summary, $body === '' ? $short : $body, Slug::of($package['Section']), $author],
        );
        $id = (int) $this->database->lastInsertId();
        foreach (Slug::words($title) as $word) {
            $this->insert('INSERT INTO word (word, news_id) VALUES (?, ?)', [$word, $id]);
        }
        for ($comments = max(0, mt_rand(-3, 4)); $comments > 0; --$comments) {
            $this->insert('INSERT INTO comment (news_id, author, text, created_at) VALUES (?, ?, ?, ?)', [
                $id,
                self::READERS[mt_rand(0, \count(self::READERS) - 1)],
                \sprintf(self::REMARKS[mt_rand(0, \count(self::REMARKS) - 1)], $name),
                gmdate('Y-m-d H:i:s', 1_767_225_600 + $id * 600 + mt_rand(0, 599)),
            ]);
        }
    }

    /** @param list<int|string> $values */
    private function insert(string $sql, array $values): void
    {
        $this->prepared[$sql] ??= $this->database->prepare($sql);
        $this->prepared[$sql]->execute($values);
    }

    private static function isFilled(PDO $connection): bool
    {
        try {
            $connection->query('SELECT COUNT(*) FROM news');

            return true;
        } catch (PDOException) {
            return false;
        }
    }
}
