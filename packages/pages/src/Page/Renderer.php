<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Exception\LarderException;
use Larder\Sql\Ledger\Ledger;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordedReads;
use Psr\Clock\ClockInterface;

/**
 * The renderer of algorithm F: snapshot -> complete drafts -> check and register -> rename.
 *
 * All files of the draft are complete before the ledger registers it, so a writer that finds the registration finds
 * them all.
 *
 * @internal
 */
final readonly class Renderer
{
    private StoreRules $rules;

    public function __construct(
        private Site $site,
        private Ledger $ledger,
        private PageStore $store,
        private Registry $registry,
        private ClockInterface $clock,
    ) {
        $this->rules = new StoreRules($site, $store);
    }

    /**
     * Makes the response and stores it if it may be stored. A cache that fails is a refusal. What $make throws is
     * thrown on.
     *
     * @param Closure(RecordedReads): Response $make
     * @param bool $later whether the caller stores the page, by store() of Rendering::$made. A page with parts is
     *     stored now nevertheless: nginx puts these into what it finds in the store
     */
    public function render(
        PagePath $page,
        string $route,
        Policy $policy,
        Closure $make,
        bool $later = false,
    ): Rendering {
        $begin = hrtime(true);
        $reads = $this->reads();
        $answer = $this->ledger->snapshot($reads, static function () use ($reads, $policy, $make): Response {
            $answer = $make($reads);
            if (!$policy->trust) {
                $reads->atLeast(...$policy->tables);
            }

            return $answer;
        });
        if ($answer->isShell) {
            $page = $page->shell();
        } elseif ($answer->status !== 200 && $page->part === null && !$this->store->keepsHeads()) {
            $page = $page->answered($answer->status);
        }
        $refusal = $this->rules->refusal($answer, $reads, $policy, $page);
        if ($refusal !== null) {
            return Rendering::refused($answer, $refusal);
        }
        $isHtml = str_starts_with($this->site->urls->areaOf($page->path())->type, 'text/html');
        if ($this->site->operations->notes && $isHtml && $page->part === null) {
            $answer = $answer->withMore(PageNote::of($reads, $policy, $this->clock->now()));
        }
        if ($policy->ttl !== null) {
            $reads = $reads->unnamed();
        }
        $made = new Made($page, $route, $policy, $reads, $answer, (hrtime(true) - $begin) / 1e9);

        return $later && !$answer->isShell ? Rendering::unfinished($made) : $this->store($made);
    }

    /** Stores what render() made. A cache that fails is a refusal. */
    public function store(Made $made): Rendering
    {
        try {
            return $this->publish($made);
        } catch (LarderException $exception) {
            return Rendering::failed($made->answer, $exception);
        }
    }

    /** What a render reads, of which nothing is recorded yet. */
    public function reads(): RecordedReads
    {
        return new RecordedReads($this->registry);
    }

    private function publish(Made $made): Rendering
    {
        [$page, $answer, $reads, $policy] = [$made->page, $made->answer, $made->reads, $made->policy];
        $draft = $this->store->draft($page, $this->rules->kept($answer, $page, $reads));
        $published = 0;
        try {
            $publication = $this->ledger->publish(
                new Registration(
                    $page->key,
                    $draft->name,
                    $made->route,
                    $draft->bytes,
                    $reads,
                    $policy->ttl === null ? null : $this->clock->now()->getTimestamp() + $policy->ttl,
                    $this->site->limits->routeBytes(),
                    $this->site->limits->bytes,
                ),
                fn(int $generation) => $this->store->stamp($draft, $generation),
                function (int $generation) use ($draft, &$published): bool {
                    $published = $generation;

                    return $this->store->publish($draft, $generation);
                },
            );
        } catch (LarderException $exception) {
            $this->store->discard($draft);
            throw $exception;
        }
        if ($publication !== Publication::Stored) {
            $this->store->discard($draft);
        }

        $isStored = $publication === Publication::Stored;

        return new Rendering(
            $isStored ? $this->rules->marked($answer, $page, $reads) : $answer,
            $publication,
            $isStored ? null : $publication->value,
            $this->store->made($draft, $published, false)->at($page),
            $this->store->made($draft, $published, true)->at($page),
        );
    }
}
