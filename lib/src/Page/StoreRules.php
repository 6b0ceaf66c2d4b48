<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RecordedReads;

/** The reasons why a response may not be stored. Each stands for a page that must never reach the next visitor. */
final readonly class StoreRules
{
    public function __construct(private Site $site) {}

    /** @return string|null a reason that says what to change; null: the response may be stored */
    public function refusal(Response $answer, RecordedReads $reads, Policy $policy, PagePath $page): ?string
    {
        return $this->ofAnswer($answer, $this->site->areaOf($page->path()))
            ?? $reads->refusal()
            ?? $this->ofReads($reads, $policy, $page);
    }

    /** session_id() also shows a session that was closed again; session_status() does not. */
    private function ofAnswer(Response $answer, Area $area): ?string
    {
        $bytes = \strlen($answer->body);
        $control = $answer->header('cache-control') ?? '';
        $type = $answer->header('content-type') ?? '';

        return match (true) {
            !$answer->isWhole => 'output was flushed before the page was whole',
            $answer->status !== 200 => \sprintf('status %d is not 200', $answer->status),
            $answer->body === '' => 'the body is empty',
            $bytes > $this->site->pageBytes
                => \sprintf('the body has %d bytes, more than %d', $bytes, $this->site->pageBytes),
            isset($answer->headers['set-cookie']) => 'the answer sets a cookie',
            session_id() !== '' => 'a session was started',
            preg_match('/\b(?:private|no-store)\b/i', $control) === 1 => 'Cache-Control forbids it: ' . $control,
            self::type($type) !== self::type($area->type)
                => \sprintf('Content-Type is "%s" but area %s has "%s"', $type, $area->prefix, $area->type),
            default => $this->ofHeaders($answer),
        };
    }

    private static function type(string $header): string
    {
        return strtolower(str_replace(' ', '', $header));
    }

    /** nginx keeps no headers of a page, so hits would lack every header that the configuration does not set. */
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
                return \sprintf('nginx cannot repeat the header %s%s', $name, match ($name) {
                    'cache-control' => ', which is no-cache for a page',
                    'vary' => ', which is Accept-Encoding for a page',
                    default => ': name it with its one value in Site::$headers',
                });
            }
        }

        return null;
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
