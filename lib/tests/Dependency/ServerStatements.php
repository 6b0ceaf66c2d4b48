<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Statements of an application on a server, by chance: those that can be followed and those that cannot.
 *
 * @phpstan-type Generated array{string, list<int|string|null>, int}
 */
final readonly class ServerStatements
{
    private Randomizer $random;

    public function __construct(
        int $seed,
        private bool $isMariaDb,
    ) {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    /** @return list<Generated> text, values, and how it is sent */
    public function transaction(): array
    {
        if ($this->random->getInt(0, 2) === 0) {
            return [$this->statement()];
        }
        $inside = [];
        for ($i = $this->random->getInt(1, 5); $i > 0; --$i) {
            $inside[] = $this->statement();
        }
        $last = $this->random->getInt(0, 5) === 0 ? 'ROLLBACK' : 'COMMIT';

        return $this->random->getInt(0, 2) !== 2
            ? [['BEGIN', [], 0], ...$inside, [$last, [], 0]]
            : [
                ['START TRANSACTION', [], 0],
                ...$inside,
                ['SAVEPOINT b', [], 0],
                $this->statement(),
                [$this->one(['ROLLBACK TO SAVEPOINT b', 'RELEASE SAVEPOINT b']), [], 0],
                [$last, [], 0],
            ];
    }

    /** @return Generated */
    private function statement(): array
    {
        [$sql, $values] = $this->one([
            $this->update(...), $this->update(...), $this->delete(...), $this->insert(...), $this->insert(...),
            $this->other(...),
        ])();

        return [$sql, $values, $values === [] ? $this->random->getInt(0, 1) : $this->random->getInt(2, 3)];
    }

    /** @return array{string, list<int|string|null>} */
    private function update(): array
    {
        [$where, $found] = $this->condition();
        [$set, $values] = $this->one([
            ['category = ?', [$this->category()]],
            ['author = ?, views = views + 1', [$this->one(['Bob', 'Eve', 'bob', null])]],
            ['title = ?', ['t' . $this->number()]],
            ['views = (SELECT count(*) FROM comment WHERE news_id = news.id)', []],
            ['id = id + ?', [$this->number()]],
            ['views = ?', [$this->one([1, 2, 'many'])]],
        ]);

        return ["UPDATE news SET $set WHERE $where" . $this->returning('UPDATE'), [...$values, ...$found]];
    }

    /** @return array{string, list<int|string|null>} */
    private function delete(): array
    {
        [$where, $found] = $this->condition();

        return $this->random->getInt(0, 1) === 0
            ? ["DELETE FROM news WHERE $where" . $this->returning('DELETE'), $found]
            : ['DELETE FROM comment WHERE news_id = ? OR id = 1', [$this->number()]];
    }

    /** @return array{string, list<int|string|null>} */
    private function insert(): array
    {
        return $this->one([
            ['INSERT INTO news (category, title) VALUES (?, ?)', [$this->category(), 't' . $this->number()]],
            ['INSERT INTO news (id, category, author) VALUES (?, ?, ?)', [
                $this->number(), $this->category(), $this->one(['Bob', null]),
            ]],
            ['INSERT INTO comment (news_id, text) VALUES (?, ?)', [$this->number(), 'x']],
            ['INSERT INTO comment (id, news_id) VALUES (?, ?), (?, 4)', [
                $this->number(), $this->number(), $this->number() + 10,
            ]],
            ['INSERT INTO comment (news_id) VALUES (4), (5)', []],
            ['INSERT INTO news (title, views) VALUES (upper(\'t5\'), 4)' . $this->returning('INSERT'), []],
            ['INSERT INTO comment (news_id) SELECT id FROM news WHERE id < ?', [$this->number()]],
            $this->isMariaDb
                ? ['INSERT INTO news (id, title) VALUES (?, ?) ON DUPLICATE KEY UPDATE views = views + 1', [
                    $this->number(), 't' . $this->number(),
                ]]
                : ['INSERT INTO news (id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET views = news.views + 1', [
                    $this->number(), 't' . $this->number(),
                ]],
            $this->isMariaDb
                ? ['INSERT INTO comment (id, news_id) VALUES (?, ?)'
                    . ' ON DUPLICATE KEY UPDATE news_id = VALUES(news_id)', [
                        $this->number(), $this->number(),
                    ]]
                : ['INSERT INTO comment (id, news_id) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET news_id = 5', [
                    $this->number(), $this->number(),
                ]],
            $this->isMariaDb
                ? ['REPLACE INTO comment (id, news_id) VALUES (?, ?), (?, 5)', [
                    $this->number(), $this->number(), $this->number(),
                ]]
                : ['INSERT INTO comment (id, news_id) VALUES (?, ?) ON CONFLICT (id) DO NOTHING', [
                    $this->number(), $this->number(),
                ]],
            $this->isMariaDb
                ? ['REPLACE INTO news (id, category) VALUES (?, ?)', [$this->number(), $this->category()]]
                : ['INSERT INTO news (id, title) VALUES (?, ?) ON CONFLICT DO NOTHING', [$this->number(), 't1']],
            $this->isMariaDb
                ? ['INSERT IGNORE INTO news (id, title) VALUES (?, ?)', [$this->number(), 't' . $this->number()]]
                : ['WITH a AS (UPDATE news SET views = 4 WHERE id = ? RETURNING id) SELECT id FROM a', [
                    $this->number(),
                ]],
        ]);
    }

    /** @return array{string, list<int|string|null>} */
    private function other(): array
    {
        return $this->one([
            ['SELECT id, category, views FROM news WHERE id < ? ORDER BY id', [$this->number()]],
            ['SELECT count(*) AS n, max(views) AS views FROM news', []],
            ["SELECT upper('a') AS a, abs(-4) AS b", []],
            ['UPDATE nowhere SET a = 1', []],
            ['UPDATE news SET views = 1 WHERE nothing = ?', [1]],
            ['SELEC', []],
            $this->isMariaDb
                ? ['UPDATE news n JOIN comment c ON c.news_id = n.id SET n.views = 7 WHERE n.id = ?', [$this->number()]]
                : ['UPDATE news SET views = 7 FROM comment c WHERE c.news_id = news.id AND news.id = ?', [
                    $this->number(),
                ]],
            ['SET ' . ($this->isMariaDb ? '@a = 4' : "application_name = 'a'"), []],
        ]);
    }

    /** @return array{string, list<int|string|null>} */
    private function condition(): array
    {
        return $this->one([
            ['id = ?', [$this->number()]],
            ['id = ?', [$this->number()]],
            ['id = ? AND views < ?', [$this->number(), $this->number()]],
            ['id IN (?, ?)', [$this->number(), $this->number()]],
            ['id BETWEEN ? AND ?', [$this->number(), $this->number()]],
            ['category = ?', [$this->category()]],
            ["news.author = 'Bob' OR id = ?", [$this->number()]],
            ['lower(author) LIKE ?', ['b%']],
            ['category IS NULL', []],
            ["CASE category WHEN 'net' THEN views ELSE id END = ?", [$this->number()]],
            ['id IN (SELECT news_id FROM comment)', []],
        ]);
    }

    private function returning(string $verb): string
    {
        // MariaDB's UPDATE has none.
        return ($verb === 'UPDATE' && $this->isMariaDb) || $this->random->getInt(0, 3) > 0
            ? ''
            : ' RETURNING id, views';
    }

    private function category(): ?string
    {
        return $this->one(['net', 'web', 'mail', null]);
    }

    private function number(): int
    {
        return $this->random->getInt(1, 12);
    }

    /**
     * @template T
     *
     * @param non-empty-list<T> $of
     *
     * @return T
     */
    private function one(array $of): mixed
    {
        return $of[$this->random->getInt(0, \count($of) - 1)];
    }
}
