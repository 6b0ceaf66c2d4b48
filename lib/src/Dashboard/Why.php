<?php

declare(strict_types=1);

namespace Larder\Dashboard;

use Larder\Dependency\SqlLedger;
use Larder\Exception\LarderException;
use Larder\Page\PagePath;
use Larder\Page\Pages;
use Larder\Page\RefusalCause;
use Larder\Page\Site;
use PDOException;

/**
 * Why a page is no hit: it can be none, it was refused, or changes drop it.
 *
 * @internal
 */
final readonly class Why
{
    /** Changes that are looked through. */
    private const CHANGES = 1000;

    /** @param SqlLedger|string $ledger or why it cannot be opened */
    public function __construct(private Site $site, private SqlLedger|string $ledger) {}

    /**
     * @param string $uri as visitors ask for it
     *
     * @return array<string, mixed>
     */
    public function of(string $uri): array
    {
        $area = $this->site->urls->areaOf(explode('?', $uri, 2)[0]);
        $refusals = Pages::of($this->site)->refusals();
        $refusal = $refusals->of($uri) ?? ($area->ttl === null ? null : $refusals->latest($uri));
        $changes = array_values(array_filter(
            Pages::of($this->site)->changes()->recent(self::CHANGES, $uri),
            static fn(array $change): bool => \in_array($uri, $change['pages'] ?? [], true),
        ));
        $cause = $refusal === null ? null : RefusalCause::of($refusal['reason']);

        return [
            'uri' => $uri,
            'can_be' => $this->site->urls->page(($area->ttl === null ? '' : '/@0000') . $uri) !== null,
            'ttl' => $area->ttl,
            'stored' => $this->stored($uri),
            'refusal' => $refusal === null ? null : $refusal + [
                'cause' => $cause?->value,
                'remedy' => $cause?->remedy(),
            ],
            'dropped' => \count($changes),
            'last_change' => $changes[0] ?? null,
        ];
    }

    /** @return array{bytes: int, controller: string, from: list<string>}|null null: it is not, or nobody knows */
    private function stored(string $uri): ?array
    {
        try {
            $expression = '~^(?:/@[^/]+)?' . preg_quote($uri, '~') . '$~D';
            foreach (\is_string($this->ledger) ? [] : $this->ledger->index()->search($uri, 100) as $row) {
                if (preg_match($expression, PagePath::own($row['page'])) === 1) {
                    return [
                        'bytes' => $row['bytes'],
                        'controller' => $row['route'],
                        'from' => \is_string($this->ledger) ? [] : $this->ledger->index()->namesOf($row['page']),
                    ];
                }
            }
        } catch (LarderException|PDOException) {
            return null;
        }

        return null;
    }
}
