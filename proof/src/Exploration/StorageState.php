<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** Everything that processes share between two steps: what is committed, and the files. */
final readonly class StorageState
{
    /**
     * @param int      $value      of the one row, committed
     * @param int|null $registered generation that the index holds for the page under its row's name; null: it holds
     *     none
     * @param string   $database   every committed row of every table
     */
    public function __construct(
        public int $value,
        public ?int $registered,
        public string $database,
        public PlaceState $place,
    ) {}

    /** @return array<value-of<Violation>, string> what is wrong, explained */
    public function violations(): array
    {
        $violations = $this->place->wrong;
        foreach ($this->place->served as $twin => $file) {
            $body = $twin === '.gz' ? (string) gzdecode($file['bytes']) : $file['bytes'];
            if (preg_match('/^value [0-9]+$/D', $body) !== 1) {
                $violations[Violation::Torn->value] = \sprintf('page%s shows "%s"', $twin, $body);
            } elseif ($body !== 'value ' . $this->value) {
                $violations[Violation::Stale->value] = \sprintf(
                    'page%s shows %s, and value %d is committed',
                    $twin,
                    $body,
                    $this->value,
                );
            }
            if ($this->place->isLeft) {
                continue;
            }
            if ($this->registered === null) {
                $violations[Violation::Unregistered->value] = \sprintf('page%s is in no index', $twin);
            } elseif ($file['mtime'] !== $this->registered) {
                $violations[Violation::Mistimed->value] = \sprintf(
                    'page%s has mtime %d, and %d is registered',
                    $twin,
                    $file['mtime'],
                    $this->registered,
                );
            }
        }

        return $violations;
    }

    /** What a visitor could see: the pages, what is committed, and whether a change would find the pages. */
    public function sight(): string
    {
        return json_encode(
            [
                $this->value,
                $this->registered,
                array_map(
                    static fn(array $file): array => [bin2hex($file['bytes']), $file['mtime']],
                    $this->place->served,
                ),
            ],
            JSON_THROW_ON_ERROR,
        );
    }

    /** Everything except the drafts. */
    public function text(): string
    {
        return $this->database . $this->place->text . $this->sight();
    }
}
