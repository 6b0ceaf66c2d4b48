<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

/**
 * @internal What a statement writes to one table. Of SQLite's it is found here, by their tokens alone; it may be too
 * much, never too little.
 *
 * @phpstan-type Token array{string, string}
 */
final readonly class Write
{
    public const INSERT = 'insert';
    public const UPDATE = 'update';
    public const DELETE = 'delete';

    private const EVENTS = [self::INSERT, self::UPDATE, self::DELETE];

    /** First words of statements that change no rows. */
    private const HARMLESS = [
        'select', 'values', 'pragma', 'explain', 'create', 'attach', 'detach', 'vacuum', 'analyze', 'reindex',
        'begin', 'start', 'commit', 'end', 'rollback', 'savepoint', 'release', '',
    ];

    private const ENDS_SET = ['where', 'from', 'returning', 'order', 'limit'];

    /**
     * @param string                  $table   lower case; '': none, it only calls
     * @param non-empty-list<string>  $events  what happens to rows: INSERT, UPDATE, DELETE
     * @param list<string>|null       $columns that UPDATE sets; null: any
     * @param bool                    $returns whether it has a RETURNING clause
     * @param AffectedRows|null       $rows    null: any
     * @param bool                    $resolves whether it says what is done at a conflict, as INSERT OR IGNORE does
     * @param bool                    $calls   whether it calls functions that are not known, which may write too
     */
    public function __construct(
        public string $table,
        public array $events = self::EVENTS,
        public ?array $columns = null,
        public bool $returns = false,
        public ?AffectedRows $rows = null,
        public bool $resolves = false,
        public bool $calls = false,
    ) {}

    /** Whether it may give a row another key than it has, or than its values say. */
    public function moves(string $key): bool
    {
        return \in_array(self::UPDATE, $this->events, true)
            && !\in_array(strtolower($key), $this->rows->conflict->given ?? [], true)
            && ($this->columns === null || \in_array(strtolower($key), $this->columns, true));
    }

    /**
     * @param list<Token> $tokens of one statement
     * @param string      $sql    its text; '': its rows are not wanted
     * @param list<int>   $ends   the offset in the text behind each token
     *
     * @return list<self>|null null: unknown, so it may write to every table
     */
    public static function of(array $tokens, string $sql = '', array $ends = []): ?array
    {
        $verb = self::verb($tokens);
        $word = $tokens[$verb][1] ?? '';
        if ($verb === null || ($tokens !== [] && $tokens[$verb][0] !== 'word')) {
            return null;
        }
        $several = \in_array(['sign', ';'], $tokens, true) && !self::isTrigger($tokens);

        $rows = $several || $sql === '' ? null : AffectedRows::of($tokens, $sql, $ends);

        return match (true) {
            $several => null,
            \in_array($word, self::HARMLESS, true) => [],
            $word === self::INSERT, $word === 'replace' => self::inserted($tokens, $verb, $rows),
            $word === self::UPDATE => self::updated($tokens, $verb, $rows),
            $word === self::DELETE => self::deleted($tokens, $verb, $rows),
            $word === 'drop', $word === 'alter' => self::altered($tokens),
            default => null,
        };
    }

    /**
     * What the statements within a trigger write.
     *
     * @param list<Token> $tokens of CREATE TRIGGER
     *
     * @return array{list<string>, list<self>|null} the events that fire it, and the writes; null: unknown
     */
    public static function ofTrigger(array $tokens): array
    {
        $begin = array_search(['word', 'begin'], $tokens, true);
        $head = array_slice($tokens, 0, $begin === false ? \count($tokens) : $begin);
        $fires = array_values(array_intersect(self::EVENTS, array_column($head, 1)));
        $writes = [];
        $body = [];
        foreach (array_slice($tokens, \count($head) + 1) as $token) {
            if ($token !== ['sign', ';']) {
                $body[] = $token;

                continue;
            }
            $write = self::of($body);
            $writes = $write === null || $writes === null ? null : [...$writes, ...$write];
            $body = [];
        }

        return [$fires, $writes];
    }

    /** @param list<Token> $tokens */
    public static function isTrigger(array $tokens): bool
    {
        $words = array_column(\array_slice($tokens, 0, 3), 1);

        return ($words[0] ?? '') === 'create'
            && ($words[\in_array($words[1] ?? '', ['temp', 'temporary'], true) ? 2 : 1] ?? '') === 'trigger';
    }

    /**
     * @param list<Token> $tokens
     *
     * @return int|null where the statement's own verb stands, behind its common tables
     */
    private static function verb(array $tokens): ?int
    {
        if (($tokens[0][1] ?? '') !== 'with') {
            return 0;
        }
        foreach (self::outer($tokens, 1) as $i => [$kind, $text]) {
            $isVerb = \in_array($text, ['select', 'values', ...self::EVENTS], true)
                || ($text === 'replace' && ($tokens[$i + 1][1] ?? '') === 'into');
            if ($kind === 'word' && $isVerb) {
                return $i;
            }
        }

        return null;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<self>|null
     */
    private static function inserted(array $tokens, int $verb, ?AffectedRows $rows): ?array
    {
        $replaces = $tokens[$verb][1] === 'replace' || self::action($tokens, $verb) === 'replace';
        $at = $verb + (self::action($tokens, $verb) === null ? 1 : 3);
        if (($tokens[$at][1] ?? '') !== 'into') {
            return null;
        }
        $table = self::table($tokens, $at + 1);
        if ($table === null) {
            return null;
        }
        $outer = self::outer($tokens, $at + 2);
        $set = array_search(['word', 'set'], $outer, true);
        $words = array_column($outer, 1);
        $end = array_search('returning', $words, true);
        $words = \array_slice($words, 0, $end === false ? null : $end);
        $isUpsert = \in_array('do', $words, true) && \in_array('update', $words, true);

        return $table === '' ? [] : [new self(
            $table,
            [self::INSERT, ...($isUpsert ? [self::UPDATE] : []), ...($replaces ? [self::DELETE] : [])],
            $set !== false && array_count_values($words)['conflict'] === 1 ? self::columns($tokens, $set) : null,
            returns: $end !== false,
            rows: $rows,
            resolves: $at > $verb + 1 || $replaces || \in_array('conflict', $words, true),
        )];
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<self>|null
     */
    private static function updated(array $tokens, int $verb, ?AffectedRows $rows): ?array
    {
        $action = self::action($tokens, $verb);
        $table = self::table($tokens, $verb + ($action === null ? 1 : 3));
        $outer = self::outer($tokens, $verb);
        $set = array_search(['word', 'set'], $outer, true);
        if ($table === null || !\is_int($set)) {
            return null;
        }
        $returns = \in_array(['word', 'returning'], $outer, true);

        return $table === '' ? [] : [new self(
            $table,
            $action === 'replace' ? [self::UPDATE, self::DELETE] : [self::UPDATE],
            self::columns($tokens, $set),
            returns: $returns,
            rows: $rows,
            resolves: $action !== null,
        )];
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<string>|null the columns that a SET clause sets; null: any
     */
    private static function columns(array $tokens, int $set): ?array
    {
        $columns = [];
        $depth = 0;
        $isList = false;
        for ($i = $set; isset($tokens[$i]); ++$i) {
            [$kind, $text] = $tokens[$i];
            if ($depth === 0 && $kind === 'word' && \in_array($text, self::ENDS_SET, true)) {
                break;
            }
            $begins = $depth === 0 && ($i === $set || $tokens[$i] === ['sign', ',']);
            $next = $tokens[$i + 1] ?? ['', ''];
            $isList = $begins ? $next === ['sign', '('] : $isList && $tokens[$i] !== ['sign', ')'];
            if (($begins || $isList) && \in_array($next[0], ['word', 'quoted', 'string'], true)) {
                $columns[] = trim($next[1], "'");
            }
            $depth += $tokens[$i] === ['sign', '('] ? 1 : 0;
            $depth -= $tokens[$i] === ['sign', ')'] ? 1 : 0;
        }

        // They may be another name of the key.
        return array_intersect($columns, ['rowid', 'oid', '_rowid_']) === [] ? $columns : null;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return list<self>|null
     */
    private static function deleted(array $tokens, int $verb, ?AffectedRows $rows): ?array
    {
        $table = ($tokens[$verb + 1][1] ?? '') === 'from' ? self::table($tokens, $verb + 2) : null;
        if ($table === null) {
            return null;
        }
        $returns = \in_array(['word', 'returning'], self::outer($tokens, $verb), true);

        return $table === '' ? [] : [new self(
            $table,
            [self::DELETE],
            returns: $returns,
            rows: $rows,
        )];
    }

    /**
     * DROP TABLE and ALTER TABLE; other things that can be dropped have no rows.
     *
     * @param list<Token> $tokens
     *
     * @return list<self>|null
     */
    private static function altered(array $tokens): ?array
    {
        if (($tokens[1][1] ?? '') !== 'table') {
            return [];
        }
        $table = self::table($tokens, \array_slice(array_column($tokens, 1), 2, 2) === ['if', 'exists'] ? 4 : 2);
        if ($table === null) {
            return null;
        }
        $to = array_search(['word', 'to'], $tokens, true);
        $renamed = $to === false ? null : $tokens[$to + 1][1] ?? null;

        $writes = [];
        foreach ([$table, $renamed ?? ''] as $name) {
            if ($name !== '') {
                $writes[] = new self($name);
            }
        }

        return $writes;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return string|null what stands after OR: `INSERT OR IGNORE`
     */
    private static function action(array $tokens, int $verb): ?string
    {
        return ($tokens[$verb + 1] ?? null) === ['word', 'or'] ? $tokens[$verb + 2][1] ?? '' : null;
    }

    /**
     * @param list<Token> $tokens
     *
     * @return string|null its name; '': a temporary table, which nobody else sees; null: no name stands there
     */
    private static function table(array $tokens, int $at): ?string
    {
        $isTemporary = false;
        if (($tokens[$at + 1] ?? null) === ['sign', '.']) {
            $isTemporary = \in_array($tokens[$at][1], ['temp', 'temporary'], true);
            $at += 2;
        }
        [$kind, $text] = $tokens[$at] ?? ['', ''];

        return match ($kind) {
            'word', 'quoted' => $isTemporary ? '' : $text,
            // For SQLite 'news' is a name where a table must stand.
            'string' => $isTemporary ? '' : str_replace("''", "'", substr($text, 1, -1)),
            default => null,
        };
    }

    /**
     * @param list<Token> $tokens
     *
     * @return array<int, Token> the tokens from there on that stand in no parentheses, and what opens and closes them
     */
    private static function outer(array $tokens, int $from): array
    {
        $outer = [];
        $depth = 0;
        foreach ($tokens as $i => $token) {
            if ($i < $from) {
                continue;
            }
            $depth -= $token === ['sign', ')'] ? 1 : 0;
            if ($depth === 0) {
                $outer[$i] = $token;
            }
            $depth += $token === ['sign', '('] ? 1 : 0;
        }

        return $outer;
    }
}
