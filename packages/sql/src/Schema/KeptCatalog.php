<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use PDOException;

/**
 * @internal What a server says of its schema, as the ledger keeps it: a request of php-fpm begins with one query
 * instead of many slow ones.
 *
 * Answers belong to the version of the schema that was asked for before them. So an answer is never older than its
 * version, and who holds it against a later version finds that out. Another program's DDL raises no version: answers
 * end after a minute, and with each deploy and flush.
 *
 * @phpstan-type Asked array{string, list<scalar|null>}
 */
final class KeptCatalog
{
    /** Seconds after which the server is asked again. */
    private const LIFE = 60;

    /** The version of now stands in each row, beside that of an answer: to compare them here is cheaper than there. */
    private const PLAN = 'SELECT l.id, %s AS present, p.version, p.query, p.answer FROM larder_ledger l'
        . ' LEFT JOIN larder_plan p ON p.life = l.id AND p.session = ? AND p.made > ?';

    private ?int $version = null;

    /** The ledger's life; null: nothing was read of this version, or nothing is kept. */
    private ?string $life = null;

    /** @var array<string, string> by query, as they are kept */
    private array $answers = [];

    /** @var list<array<string, scalar|null>>|null the column sets, as they were when the version was asked for first */
    private ?array $sets = null;

    /** @var list<array<string, scalar|null>>|null the rows of the version, for who asks next; null: ask the server */
    private ?array $present = null;

    /** Whether nothing was asked for yet. */
    private bool $isNew = true;

    /**
     * @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows     of a query
     * @param Closure(string, array<int, scalar|null>): mixed                             $change   runs a statement
     * @param Closure(non-empty-list<Asked>, int<1, max>): list<list<array<string, scalar|null>>> $together of
     *     SecondConnection
     * @param Closure(): string                                                           $session  of which the answers
     *     are: another account or database has others
     */
    public function __construct(
        private readonly Dialect $dialect,
        private readonly Closure $rows,
        private readonly Closure $change,
        private readonly Closure $together,
        private readonly Closure $session,
    ) {}

    /**
     * @param array<int, scalar|null> $values
     *
     * @return list<array<string, scalar|null>>
     *
     * @throws PDOException
     */
    public function rows(string $sql, array $values = []): array
    {
        if ($sql === $this->dialect->catalog()->schemaVersion()) {
            return $this->versionRows($sql);
        }
        if ($sql === Schema::ALL_SETS && $this->sets !== null) {
            [$sets, $this->sets] = [$this->sets, null];

            return $sets;
        }
        if ($this->version === null || str_contains($sql, 'larder_set')) {
            return ($this->rows)($sql, $values);
        }
        $this->read();
        $query = hash('xxh128', $sql . "\0" . serialize($values));
        $kept = isset($this->answers[$query]) ? self::unpacked($this->answers[$query]) : null;
        if ($kept !== null) {
            return $kept;
        }
        $answer = ($this->rows)($sql, $values);
        $this->keep($query, $answer);

        return $answer;
    }

    /**
     * Queries for what every request asks for, for a snapshot that the application's own connection begins. So Larder's
     * needs none before the render.
     *
     * @return list<string>|null null: it was asked for before
     */
    public function opening(): ?array
    {
        $session = ($this->session)();
        if (!$this->isNew || preg_match('/^[0-9a-f]+$/D', $session) !== 1) {
            return null;
        }

        return [
            strtr($this->plan(), [
                'p.session = ?' => "p.session = '$session'",
                'p.made > ?' => 'p.made > ' . (time() - self::LIFE),
            ]),
            Schema::ALL_SETS,
        ];
    }

    /**
     * Takes what the queries of opening() gave, which are as old as the snapshot. The next one who asks for the version
     * gets that.
     *
     * @param list<array<string, scalar|null>> $plan
     * @param list<array<string, scalar|null>> $sets
     *
     * @return list<array<string, scalar|null>> the rows of the version, as that query alone gives them
     */
    public function opened(array $plan, array $sets): array
    {
        $rows = self::version($plan, $sets);
        $this->present = $rows;
        // The application may have its texts in another character set.
        $isAscii = preg_match('/[^\x00-\x7f]/', serialize($sets)) === 0;
        $this->isNew = false;
        $this->begin($rows, $plan, $isAscii ? $sets : null);

        return $rows;
    }

    private function plan(): string
    {
        return \sprintf(self::PLAN, $this->dialect->catalog()->schemaNumber());
    }

    /**
     * @param list<array<string, scalar|null>> $plan
     * @param list<array<string, scalar|null>> $sets
     *
     * @return list<array<string, scalar|null>>
     */
    private static function version(array $plan, array $sets): array
    {
        $last = $sets === [] ? 0 : $sets[\count($sets) - 1]['id'] ?? 0;

        return $plan === [] ? [] : [['version' => $plan[0]['present'] ?? null, 'last_set' => $last]];
    }

    /** @return list<array<string, scalar|null>> */
    private function versionRows(string $sql): array
    {
        if ($this->present !== null) {
            [$rows, $this->present] = [$this->present, null];

            return $rows;
        }
        [$rows, $plan, $sets] = $this->isNew ? $this->first($sql) : [($this->rows)($sql), null, null];
        $this->isNew = false;
        $this->begin($rows, $plan, $sets);

        return $rows;
    }

    /**
     * @param list<array<string, scalar|null>>      $rows with the version
     * @param list<array<string, scalar|null>>|null $plan as of take(); null: to be asked for
     * @param list<array<string, scalar|null>>|null $sets null: to be asked for
     */
    private function begin(array $rows, ?array $plan, ?array $sets): void
    {
        $before = $this->version;
        $version = current($rows[0] ?? []);
        $this->version = \is_int($version) ? $version : null;
        $this->sets = $sets;
        if ($this->version !== $before) {
            $this->life = null;
            $this->answers = [];
        }
        if ($plan !== null && $this->version !== null) {
            $this->take($plan);
        }
    }

    /**
     * What every request of php-fpm asks for, all at once.
     *
     * @return array{list<array<string, scalar|null>>, list<array<string, scalar|null>>|null,
     *     list<array<string, scalar|null>>|null} the version, the plan, and the sets; null: to be asked for
     */
    private function first(string $sql): array
    {
        try {
            [$plan, $sets] = ($this->together)([
                [$this->plan(), [($this->session)(), time() - self::LIFE]],
                [Schema::ALL_SETS, []],
            ], 2);
            $rows = self::version($plan, $sets);

            return $rows === [] ? [($this->rows)($sql), null, null] : [$rows, $plan, $sets];
        } catch (PDOException) {
            // A ledger of an older Larder has not all of them.
            return [($this->rows)($sql), null, null];
        }
    }

    private function read(): void
    {
        if ($this->life !== null) {
            return;
        }
        $this->life = '';
        try {
            $rows = ($this->rows)($this->plan(), [($this->session)(), time() - self::LIFE]);
        } catch (PDOException) {
            // A ledger of an older Larder keeps none.
            return;
        }
        $this->take($rows);
    }

    /** @param list<array<string, scalar|null>> $plan of which the answers of this version are taken */
    private function take(array $plan): void
    {
        $this->life = (string) ($plan[0]['id'] ?? '');
        foreach ($plan as $row) {
            if ($row['version'] === $this->version) {
                $this->answers[(string) $row['query']] = (string) $row['answer'];
            }
        }
    }

    /** @param list<array<string, scalar|null>> $answer */
    private function keep(string $query, array $answer): void
    {
        if ($this->life === null || $this->life === '') {
            return;
        }
        $key = [$this->life, $this->version, ($this->session)(), $query];
        $packed = base64_encode((string) gzdeflate(serialize($answer), 1));
        try {
            $last = time() - self::LIFE;
            // All that is there is sent to each request, so there is one version.
            ($this->change)(
                'DELETE FROM larder_plan WHERE life <> ? OR version <> ? OR made <= ?',
                [$this->life, $this->version, $last],
            );
            ($this->change)(
                $this->dialect->insertIfAbsent(
                    'larder_plan',
                    ['life', 'version', 'session', 'query', 'answer', 'made'],
                ),
                [...$key, $packed, time()],
            );
            $this->answers[$query] = $packed;
        } catch (PDOException) {
            // The next one who asks tries again.
            return;
        }
    }

    /** @return list<array<string, scalar|null>>|null null: it is damaged */
    private static function unpacked(string $packed): ?array
    {
        $text = base64_decode($packed, true);
        $text = $text === false ? false : @gzinflate($text);
        $answer = $text === false ? null : @unserialize($text, ['allowed_classes' => false]);
        if (!\is_array($answer) || !array_is_list($answer)) {
            return null;
        }
        foreach ($answer as $row) {
            if (!\is_array($row)) {
                return null;
            }
        }
        /** @var list<array<string, scalar|null>> $answer */
        return $answer;
    }
}
