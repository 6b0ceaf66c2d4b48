<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Tracker\RecordedReads;

/**
 * The reasons why a response may not be stored. Each stands for a page that must never reach the next visitor.
 *
 * @internal
 */
final readonly class StoreRules
{
    /**
     * Headers that no page can have: they belong to a connection or a client, nginx acts by them, or they are made from
     * the page. The first line of defence against a head that says more than the page.
     */
    private const NEVER_KEPT = [
        'accept-ranges', 'age', 'alt-svc', 'cache-status', 'connection', 'content-encoding', 'content-range', 'date',
        'etag', 'keep-alive', 'last-modified', 'proxy-authenticate', 'proxy-authorization', 'server', 'set-cookie',
        'status', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'www-authenticate',
    ];

    /** null: no edge keeps pages */
    private ?EdgeMarks $marks;

    public function __construct(private Site $site, private PageStore $store)
    {
        $this->marks = $site->serving->edge === null ? null : new EdgeMarks($site);
    }

    /** @return string|null a reason that says what to change; null: the response may be stored */
    public function refusal(Response $answer, RecordedReads $reads, Policy $policy, PagePath $page): ?string
    {
        return $this->ofAnswer($answer, $this->site->urls->areaOf($page->path()))
            ?? $this->ofPieces($answer, $page, $this->site->urls->areaOf($page->path()))
            ?? $reads->refusal()
            ?? $this->ofReads($reads, $policy, $page)
            ?? $this->store->objection($page, $this->kept($answer, $page, $reads));
    }

    /** session_id() also shows a session that was closed again; session_status() does not. */
    private function ofAnswer(Response $answer, Area $area): ?string
    {
        $bytes = \strlen($answer->body);
        $control = $answer->header('cache-control') ?? '';
        $type = $answer->header('content-type') ?? '';

        return match (true) {
            !$answer->isWhole => 'output was flushed before the page was whole',
            !\in_array($answer->status, self::statuses(), true)
                => \sprintf('status %d is not %s', $answer->status, implode(', ', self::statuses())),
            $answer->body === '' && $answer->status === 200 => 'the body is empty',
            $bytes > $this->site->limits->pageBytes
                => \sprintf('the body has %d bytes, more than %d', $bytes, $this->site->limits->pageBytes),
            PagePath::leads($answer->status) && ($answer->header('location') ?? '') === ''
                => 'a redirect has no Location',
            isset($answer->headers['set-cookie']) => 'the answer sets a cookie',
            session_id() !== '' => 'a session was started',
            preg_match('/\b(?:private|no-store)\b/i', $control) === 1 => 'Cache-Control forbids it: ' . $control,
            !$this->store->keepsHeads() && self::type($type) !== self::type($area->type)
                => \sprintf('Content-Type is "%s" but area %s has "%s"', $type, $area->prefix, $area->type),
            default => $this->ofHeaders($answer),
        };
    }

    private function ofPieces(Response $answer, PagePath $page, Area $area): ?string
    {
        return match (true) {
            $page->part !== null && $answer->status !== 200
                => \sprintf('a part of status %d is empty', $answer->status),
            $answer->isShell && $answer->status !== 200 && !$this->store->keepsHeads()
                => \sprintf('a page with parts and status %d has no file', $answer->status),
            $answer->isShell && !str_starts_with(self::type($area->type), 'text/html')
                => \sprintf('only HTML can have parts, and area %s has "%s"', $area->prefix, $area->type),
            default => null,
        };
    }

    /**
     * @return Response with the headers that the store has to keep: without those that nginx adds to each page, or a
     *     store of heads to all that it keeps
     */
    public function kept(Response $answer, PagePath $page, RecordedReads $reads): Response
    {
        $added = ['content-length', 'x-powered-by', 'cache-control', 'vary'];
        $named = array_keys(array_change_key_case($this->site->serving->headers));
        $headers = array_diff_key($answer->headers, array_flip([...$added, ...$named]));
        $headers['content-type'] ??= [$this->site->urls->areaOf($page->path())->type];
        $body = $page->isRedirect() ? (string) $answer->header('location') : $answer->body;

        $kept = new Response($answer->status, $headers, $body, $answer->isWhole);

        return $this->store->keepsHeads() ? $this->marked($kept, $page, $reads) : $kept;
    }

    /** The page as an edge is to know it. */
    public function marked(Response $answer, PagePath $page, RecordedReads $reads): Response
    {
        return $this->marks?->added($answer, $page, $reads->names()) ?? $answer;
    }

    /** @return list<int> */
    private static function statuses(): array
    {
        return [200, ...PagePath::STATUSES];
    }

    private static function type(string $header): string
    {
        return strtolower(str_replace(' ', '', $header));
    }

    /** nginx keeps no headers of a file, so hits would lack every header that the configuration does not set. */
    private function ofHeaders(Response $answer): ?string
    {
        $constant = array_change_key_case($this->site->serving->headers);
        foreach ($answer->headers as $name => $values) {
            if ($this->marks?->own($name) === true) {
                return \sprintf('only Larder sets the header %s', $name);
            }
            $value = implode(', ', $values);
            $repeatable = match ($name) {
                'content-type', 'content-length', 'x-powered-by' => true,
                'cache-control' => strtolower($value) === 'no-cache',
                'vary' => strtolower($value) === 'accept-encoding',
                'location' => $this->keeps($name, $value)
                    || (!$this->store->keepsHeads() && PagePath::leads($answer->status) && \count($values) === 1),
                default => isset($constant[$name]) ? $constant[$name] === $value : $this->keeps($name, $value),
            };
            if (!$repeatable) {
                return \sprintf('nginx cannot repeat the header %s%s', $name, match ($name) {
                    'cache-control' => ', which is no-cache for a page',
                    'vary' => ', which is Accept-Encoding for a page',
                    default => ': name it with its one value in Serving::$headers',
                });
            }
        }

        return null;
    }

    private function keeps(string $name, string $value): bool
    {
        return $this->store->keepsHeads()
            && !\in_array($name, self::NEVER_KEPT, true)
            && preg_match('/^(?!x-accel-)[a-z0-9!#$&*.^_`|~-]{1,100}$/D', $name) === 1
            && preg_match('/^[^\x00-\x08\x0A-\x1F\x7F]{0,1000}$/D', $value) === 1;
    }

    /** nginx ends a ttl page with the bucket in its path, so its parts must live as long as that bucket. */
    private function ofReads(RecordedReads $reads, Policy $policy, PagePath $page): ?string
    {
        $undeclared = array_diff($reads->tables(), $policy->tables);
        if ($undeclared !== []) {
            return \sprintf('it read %s, which #[Reads] does not declare', implode(', ', $undeclared));
        }

        if ($policy->ttl === null) {
            return $reads->clock();
        }
        $end = (new TimeBucket($policy->ttl))->end((string) $page->bucket);

        $part = $reads->clock() ?? 'it contains a value';

        return $reads->ends() < $end
            ? \sprintf('%s, and that ends %.3g s before the page would', $part, $end - $reads->ends())
            : null;
    }
}
