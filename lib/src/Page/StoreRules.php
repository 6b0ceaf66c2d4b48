<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RecordedReads;

/** Why an answer may not be stored, whatever the ledger says. A rule here is a page that must never reach the next visitor. */
final readonly class StoreRules
{
    public function __construct(private Site $site) {}

    /** @return string|null a reason that says what to change, or null: it may be stored */
    public function refusal(Response $answer, RecordedReads $reads, Policy $policy, PagePath $page): ?string
    {
        return $this->ofAnswer($answer, $this->site->areaOf($page->path()))
            ?? $reads->refusal()
            ?? $this->ofReads($reads, $policy, $page);
    }

    /** A session that was closed again is known by its id; session_status() would not tell of it. */
    private function ofAnswer(Response $answer, Area $area): ?string
    {
        return match (true) {
            $answer->status !== 200 => \sprintf('status %d is not 200', $answer->status),
            $answer->body === '' => 'the body is empty',
            \strlen($answer->body) > $this->site->pageBytes => \sprintf('the body has %d bytes, more than %d', \strlen($answer->body), $this->site->pageBytes),
            isset($answer->headers['set-cookie']) => 'the answer sets a cookie',
            session_id() !== '' => 'a session was started',
            preg_match('/\b(?:private|no-store)\b/i', $answer->header('cache-control') ?? '') === 1 => 'Cache-Control forbids it: ' . $answer->header('cache-control'),
            self::type($answer->header('content-type') ?? '') !== self::type($area->type) => \sprintf('Content-Type is "%s" but area %s has "%s"', $answer->header('content-type') ?? '', $area->prefix, $area->type),
            default => $this->ofHeaders($answer),
        };
    }

    private static function type(string $header): string
    {
        return strtolower(str_replace(' ', '', $header));
    }

    /** nginx keeps no headers of a file: what it cannot say again on a hit would make hits differ from this answer. */
    private function ofHeaders(Response $answer): ?string
    {
        $constant = array_change_key_case($this->site->headers);
        foreach ($answer->headers as $name => $values) {
            $value = implode(', ', $values);
            $repeatable = match ($name) {
                'content-type', 'content-length', 'x-powered-by' => true,
                'cache-control' => strtolower($value) === 'no-cache',
                'vary' => strtolower($value) === 'accept-encoding',
                default => ($constant[$name] ?? null) === $value,
            };
            if (!$repeatable) {
                return \sprintf('nginx cannot repeat the header %s', $name);
            }
        }

        return null;
    }

    /** Of a ttl page nginx decides by the bucket in its path, so its life cannot be made shorter than that bucket. */
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

        return $reads->ends() < $end ? \sprintf('%s, and that ends %.3g s before the page would', $reads->clock() ?? 'it contains a value', $end - $reads->ends()) : null;
    }
}
