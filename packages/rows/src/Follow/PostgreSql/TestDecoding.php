<?php

declare(strict_types=1);

namespace Larder\Follow\PostgreSql;

use Larder\Follow\BulkChange;
use Larder\Follow\LogEvent;
use Larder\Follow\RowChange;

/**
 * @internal Reads what PostgreSQL's plugin test_decoding says of one change, which is one row of the query.
 *
 * A row before its change lacks the columns that were NULL, and all but the key if the table has no REPLICA IDENTITY
 * FULL. What stays in another place, since it is long and did not change (TOAST), is taken from the row before, if
 * that is there.
 */
final class TestDecoding
{
    /** Bytes of a value that are kept. A longer one counts as not told. */
    public const LONGEST_VALUE = 16384;

    /** In the place of a value that is too long. */
    private const TOO_LONG = 0;

    /** Columns of a row, tables of a TRUNCATE. */
    private const MOST = 2048;

    /** As most changes begin. */
    private const HEAD = '/^table ([a-z0-9_$]{1,256})\.([a-z0-9_$]{1,256}): (INSERT|UPDATE|DELETE):/D';

    /** Columns as most are: a plain name, a plain type, a text in quotes or a word. */
    private const PLAIN = '/\G ([a-z0-9_$]{1,256})\[[a-z0-9 _]+\]:'
        . '(?:\'([^\']*+(?:\'\'[^\']*+)*+)\'|([A-Za-z0-9.+-]{1,64}))(?= |$)/D';

    /** A raise of the ledger, whole. They are half of what a busy log has, so they are read by one pattern. */
    private const RAISE = '/^table ([a-z0-9_$]{1,256})\.(larder_raise): INSERT:'
        . ' slot\[integer\]:(-?[0-9]{1,10}) raise\[bigint\]:(-?[0-9]{1,19})$/D';

    private int $at = 0;

    private function __construct(private readonly string $text) {}

    /** @return list<LogEvent> what changed; of BEGIN, COMMIT and messages nothing */
    public static function read(string $text): array
    {
        if (preg_match(self::RAISE, $text, $raise) === 1) {
            [, $schema, $table, $slot, $number] = $raise;

            return [new RowChange($schema, $table, null, ['slot' => $slot, 'raise' => $number], true)];
        }
        if (str_starts_with($text, 'table ')) {
            return (new self($text))->ofTable();
        }

        return preg_match('/^(?:BEGIN|COMMIT)(?: \d+)?$/D', $text) === 1 || str_starts_with($text, 'message: ')
            ? []
            : [BulkChange::ofAll('a change of another kind')];
    }

    /** @return list<LogEvent> */
    private function ofTable(): array
    {
        if (preg_match(self::HEAD, $this->text, $head) === 1) {
            $this->at = \strlen($head[0]);

            return $this->ofRow($head[1], $head[2], $head[3]);
        }
        $this->at = \strlen('table ');
        $tables = [];
        do {
            $schema = $this->identifier();
            $isNamed = $schema !== null && $this->takes('.');
            $table = $isNamed ? $this->identifier() : null;
            if ($schema === null || $table === null || \count($tables) >= self::MOST) {
                return [BulkChange::ofAll('a table without a name')];
            }
            $tables[] = [$schema, $table];
        } while ($this->takes(', '));
        [$schema, $table] = $tables[0];
        foreach (\count($tables) > 1 ? [] : ['INSERT', 'UPDATE', 'DELETE'] as $kind) {
            if ($this->takes(": $kind:")) {
                return $this->ofRow($schema, $table, $kind);
            }
        }
        $why = match (true) {
            $this->takes(': TRUNCATE:') => 'TRUNCATE',
            \count($tables) > 1 => 'a change of several tables',
            default => 'a change of another kind',
        };

        return array_map(
            static fn(array $names): BulkChange => BulkChange::ofTable($names[0], $names[1], $why),
            $tables,
        );
    }

    /** @return list<LogEvent> */
    private function ofRow(string $schema, string $table, string $kind): array
    {
        $old = $new = null;
        $isTold = true;
        if ($kind === 'DELETE') {
            $old = $this->columns();
        } else {
            if ($kind === 'UPDATE' && $this->takes(' old-key:')) {
                $old = $this->columns(' new-tuple:');
                $isTold = $old !== null && $this->takes(' new-tuple:');
            }
            $new = $isTold ? $this->columns(old: $old ?? []) : null;
        }
        $row = $kind === 'DELETE' ? $old : $new;

        return $row === null || $row === []
            ? [BulkChange::ofTable($schema, $table, match ($kind) {
                'DELETE' => 'a row without its key',
                default => 'a row that cannot be read',
            })]
            : [new RowChange($schema, $table, $old, $new, $kind === 'INSERT')];
    }

    /**
     * @param string|null                $until what stands behind the last column; null: the end
     * @param array<string, string|false|null> $old   of which come the values that are not told
     *
     * @return array<string, string|false|null>|null null: they cannot be read
     */
    private function columns(?string $until = null, array $old = []): ?array
    {
        $columns = $this->plain($old);
        for ($number = \count($columns); $this->at < \strlen($this->text); ++$number) {
            if ($until !== null && substr_compare($this->text, $until, $this->at, \strlen($until)) === 0) {
                return $columns;
            }
            if ($number === 0 && $until === null && substr($this->text, $this->at) === ' (no-tuple-data)') {
                $this->at = \strlen($this->text);

                return [];
            }
            $name = $number < self::MOST && $this->takes(' ') ? $this->identifier() : null;
            $value = $name !== null && $this->takesType() ? $this->value() : false;
            if ($name === null || $value === false) {
                return null;
            }
            $columns[$name] = match ($value) {
                // What is not told did not change.
                true => $old[$name] ?? false,
                self::TOO_LONG => false,
                default => $value,
            };
        }

        return $until === null ? $columns : null;
    }

    /**
     * As many columns as are plain; what stands behind them is read with more care.
     *
     * @param array<string, string|false|null> $old
     *
     * @return array<string, string|false|null>
     */
    private function plain(array $old): array
    {
        $flags = PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL;
        $count = preg_match_all(self::PLAIN, $this->text, $found, $flags, $this->at);
        if ($count === false || $count >= self::MOST) {
            return [];
        }
        $columns = [];
        foreach ($found as [$whole, $name, $quoted, $word]) {
            $this->at += \strlen($whole);
            $columns[$name] = match (true) {
                $quoted !== null => \strlen($quoted) > self::LONGEST_VALUE ? false : str_replace("''", "'", $quoted),
                $word === 'null' => null,
                $word === 'unchanged-toast-datum' => $old[$name] ?? false,
                default => $word,
            };
        }

        return $columns;
    }

    /** @return string|0|bool|null null: NULL; true: it is not told; false: it cannot be read; or TOO_LONG */
    private function value(): string|int|bool|null
    {
        $first = $this->text[$this->at] ?? '';
        if ($first === "'") {
            return $this->quoted("'");
        }
        $word = strcspn($this->text, " '\"", $this->at);
        $text = substr($this->text, $this->at, $word);
        $this->at += $word;
        if (($text === 'B' || $text === 'X') && ($this->text[$this->at] ?? '') === "'") {
            return $this->quoted("'");
        }

        return match (true) {
            $text === 'null' => null,
            $text === 'unchanged-toast-datum' => true,
            $text !== '' && $word < self::LONGEST_VALUE && preg_match('/^[A-Za-z0-9.+-]+$/D', $text) === 1 => $text,
            default => false,
        };
    }

    private function identifier(): ?string
    {
        if (($this->text[$this->at] ?? '') === '"') {
            $name = $this->quoted('"');

            return \is_string($name) && $name !== '' ? $name : null;
        }
        $length = strspn($this->text, 'abcdefghijklmnopqrstuvwxyz0123456789_$', $this->at);
        $name = substr($this->text, $this->at, $length);
        $this->at += $length;

        return $name === '' || $length > 256 ? null : $name;
    }

    /** A type in brackets, which may have a quoted name and brackets of its own, with the colon behind it. */
    private function takesType(): bool
    {
        if (!$this->takes('[')) {
            return false;
        }
        for ($depth = 1; $depth > 0;) {
            $this->at += strcspn($this->text, '[]"', $this->at);
            $sign = $this->text[$this->at] ?? '';
            if ($sign === '"') {
                if (!\is_string($this->quoted('"'))) {
                    return false;
                }
                continue;
            }
            if ($sign === '') {
                return false;
            }
            $depth += $sign === '[' ? 1 : -1;
            ++$this->at;
        }

        return $this->takes(':');
    }

    /** @return string|0|false false: it has no end; TOO_LONG: it is not kept */
    private function quoted(string $quote): string|int|false
    {
        $from = ++$this->at;
        do {
            $end = strpos($this->text, $quote, $this->at);
            if ($end === false) {
                return false;
            }
            $this->at = $end + 1;
        } while ($this->takes($quote));

        return $end - $from > self::LONGEST_VALUE
            ? self::TOO_LONG
            : str_replace($quote . $quote, $quote, substr($this->text, $from, $end - $from));
    }

    private function takes(string $word): bool
    {
        if ($this->at + \strlen($word) > \strlen($this->text)
            || substr_compare($this->text, $word, $this->at, \strlen($word)) !== 0) {
            return false;
        }
        $this->at += \strlen($word);

        return true;
    }
}
