<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Closure;
use DomainException;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\UsageError;
use Larder\Bench\Statistics\Histogram;

/**
 * A Document as a file: schema/result-2.json describes it. Written whole or not at all.
 *
 * An instance is a value out of such a file, and the place where it stood. Each reader takes it as one type, or says
 * what has to stand there.
 */
final readonly class DocumentFile
{
    private const JSON = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRETTY_PRINT | JSON_PRESERVE_ZERO_FRACTION;

    private function __construct(
        private mixed $value,
        private string $place,
    ) {}

    public static function load(string $file): Document
    {
        $json = @file_get_contents($file);

        return $json === false ? throw UsageError::unreadable($file) : self::decode($json);
    }

    public static function save(Document $document, string $file): void
    {
        $draft = \sprintf('%s.%d', $file, getmypid());
        if (@file_put_contents($draft, self::encode($document)) === false || !@rename($draft, $file)) {
            @unlink($draft);
            throw UsageError::unwritable($file);
        }
    }

    /** @throws UsageError */
    public static function decode(string $text): Document
    {
        $json = self::parse($text);
        if ($json->member('schema')->string() !== Document::SCHEMA) {
            throw UsageError::at('schema', '"' . Document::SCHEMA . '", the version that this program reads');
        }

        return new Document(
            $json->member('command')->string(),
            $json->member('profile')->string(),
            $json->member('started')->string(),
            $json->member('seconds')->amount(),
            $json->member('complete')->bool(),
            $json->member('environment')->map(),
            $json->member('limits')->list(static fn(self $limit): string => $limit->string()),
            $json->member('subjects')->list(self::sheet(...)),
            $json->member('charts')->list(self::chart(...)),
            $json->member('published')->list(self::published(...)),
        );
    }

    public static function encode(Document $document): string
    {
        return json_encode([
            'schema' => Document::SCHEMA,
            'command' => $document->command,
            'profile' => $document->profile,
            'started' => $document->started,
            'seconds' => $document->seconds,
            'complete' => $document->complete,
            'environment' => (object) $document->environment,
            'limits' => $document->limits,
            'subjects' => array_map(static fn(Sheet $sheet): array => [
                'subject' => $sheet->subject,
                'title' => $sheet->title,
                'role' => $sheet->role->value,
                'terms' => (object) $sheet->terms,
            ], $document->subjects),
            'charts' => array_map(static fn(Chart $chart): array => [
                'id' => $chart->id,
                'test' => $chart->test,
                'title' => $chart->title,
                'work' => $chart->work,
                'unit' => $chart->unit,
                'parameters' => (object) $chart->parameters,
                'placement' => $chart->placement, 'looks' => $chart->looks,
                'cells' => array_map(self::fromCell(...), $chart->cells),
            ], $document->charts),
            'published' => array_map(get_object_vars(...), $document->published),
        ], self::JSON) . "\n";
    }

    /** @return array<string, mixed> */
    private static function fromCell(Cell $cell): array
    {
        return [
            'subject' => $cell->subject,
            'state' => $cell->state->value,
            'error' => $cell->error,
            'flags' => $cell->flags,
            'windows' => array_map(get_object_vars(...), $cell->windows),
            'latency' => $cell->latency->toArray(),
            'latencyOf' => $cell->latencyOf,
            'extra' => (object) $cell->extra,
            'coverage' => $cell->coverage === null ? null : get_object_vars($cell->coverage),
        ];
    }

    private static function sheet(self $json): Sheet
    {
        return new Sheet(
            $json->member('subject')->string(),
            $json->member('title')->string(),
            Role::tryFrom($json->member('role')->string())
                ?? throw UsageError::at($json->place . '.role', self::oneOf(Role::cases())),
            $json->member('terms')->each(static fn(self $term): string => $term->string()),
        );
    }

    private static function chart(self $json): Chart
    {
        return new Chart(
            $json->member('id')->string(),
            $json->member('test')->string(),
            $json->member('title')->string(),
            $json->member('work')->string(),
            $json->member('unit')->string(),
            $json->member('parameters')->each(
                static fn(self $parameter): bool|float|int|string => $parameter->scalar(),
            ),
            $json->member('cells')->list(self::cell(...)),
            $json->member('placement')->string(),
            $json->member('looks')->count(),
        );
    }

    private static function cell(self $json): Cell
    {
        $state = CellState::tryFrom($json->member('state')->string())
            ?? throw UsageError::at($json->place . '.state', self::oneOf(CellState::cases()));
        $windows = $json->member('windows')->list(self::window(...));
        if ($state === CellState::Wrong && $windows !== []) {
            throw UsageError::at($json->place . '.windows', 'empty: a cell with a wrong reply has no number');
        }
        try {
            $latency = Histogram::fromArray($json->member('latency')->map());
        } catch (DomainException $exception) {
            throw UsageError::at($json->place . '.latency', 'a histogram (' . $exception->getMessage() . ')');
        }

        return new Cell(
            $json->member('subject')->string(),
            $state,
            $json->member('error')->nullableString(),
            $json->member('flags')->list(static fn(self $flag): string => $flag->string()),
            $windows,
            $latency,
            $json->member('extra')->each(static fn(self $figure): float => $figure->number()),
            $json->has('coverage') ? self::coverage($json->member('coverage')) : null,
            $json->member('latencyOf')->amount(),
        );
    }

    private static function coverage(self $json): Coverage
    {
        return new Coverage(
            $json->member('replies')->count(),
            $json->member('checked')->count(),
            $json->member('how')->string(),
        );
    }

    private static function window(self $json): Window
    {
        $seconds = $json->member('seconds')->amount();

        return new Window(
            $json->member('block')->count(),
            $json->member('position')->count(),
            $seconds > 0.0 ? $seconds : throw UsageError::at($json->place . '.seconds', 'more than 0'),
            $json->member('operations')->count(),
            $json->member('errors')->count(),
            $json->member('bytes')->count(),
            $json->member('clientCpu')->amount(),
            $json->member('serverCpu')->amount(),
            $json->member('workers')->list(static fn(self $worker): int => $worker->count()),
            $json->member('slices')->list(static fn(self $slice): int => $slice->count()),
            $json->member('steady')->bool(),
            $json->member('offered')->nullableAmount(),
        );
    }

    private static function published(self $json): Published
    {
        return new Published(
            $json->member('test')->string(),
            $json->member('title')->string(),
            $json->member('text')->string(),
            $json->member('remark')->string(),
        );
    }

    /** @param list<\BackedEnum> $cases */
    private static function oneOf(array $cases): string
    {
        return 'one of '
            . implode(', ', array_map(static fn(\BackedEnum $case): string => (string) $case->value, $cases));
    }

    private static function parse(string $json): self
    {
        try {
            return new self(json_decode($json, true, 64, JSON_THROW_ON_ERROR), '');
        } catch (\JsonException $exception) {
            throw UsageError::at('', 'JSON (' . $exception->getMessage() . ')');
        }
    }

    private function member(string $name): self
    {
        $map = $this->map();

        return new self($map[$name] ?? null, $this->place === '' ? $name : $this->place . '.' . $name);
    }

    private function has(string $name): bool
    {
        return ($this->map()[$name] ?? null) !== null;
    }

    /** @return array<mixed> a JSON object or list */
    private function map(): array
    {
        return \is_array($this->value) ? $this->value : throw UsageError::at($this->place, 'an object');
    }

    /**
     * @template T
     *
     * @param Closure(self): T $item
     *
     * @return list<T>
     */
    private function list(Closure $item): array
    {
        if (!\is_array($this->value) || !array_is_list($this->value)) {
            throw UsageError::at($this->place, 'a list');
        }
        $list = [];
        foreach ($this->value as $index => $value) {
            $list[] = $item(new self($value, \sprintf('%s[%d]', $this->place, $index)));
        }

        return $list;
    }

    /**
     * @template T
     *
     * @param Closure(self): T $item
     *
     * @return array<string, T>
     */
    private function each(Closure $item): array
    {
        $items = [];
        foreach ($this->map() as $name => $value) {
            $items[(string) $name] = $item(new self($value, $this->place . '.' . $name));
        }

        return $items;
    }

    private function string(): string
    {
        return \is_string($this->value) ? $this->value : throw UsageError::at($this->place, 'a string');
    }

    private function nullableString(): ?string
    {
        return $this->value === null ? null : $this->string();
    }

    /** @return non-negative-int */
    private function count(): int
    {
        return \is_int($this->value) && $this->value >= 0
            ? $this->value
            : throw UsageError::at($this->place, 'a whole number from 0');
    }

    private function number(): float
    {
        $number = \is_int($this->value) || \is_float($this->value) ? (float) $this->value : NAN;

        return is_finite($number) ? $number : throw UsageError::at($this->place, 'a number');
    }

    private function amount(): float
    {
        return $this->number() >= 0.0 ? $this->number() : throw UsageError::at($this->place, 'a number from 0');
    }

    private function nullableAmount(): ?float
    {
        return $this->value === null ? null : $this->amount();
    }

    private function bool(): bool
    {
        return \is_bool($this->value) ? $this->value : throw UsageError::at($this->place, 'true or false');
    }

    private function scalar(): bool|float|int|string
    {
        return \is_scalar($this->value) ? $this->value : throw UsageError::at($this->place, 'a scalar');
    }
}
