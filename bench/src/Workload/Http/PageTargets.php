<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Pages\SitePage;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Load\Target;

/**
 * A page of the site. All replies are compared with one of them, which must be the same for some requests in a row. It
 * must also be the page that the application itself makes, if the site tells where that is.
 *
 * Parameters: `size` in KB, for subjects whose page comes in several sizes; without it, the smallest page. `parts`: the
 * page that is put together from so many.
 */
final readonly class PageTargets
{
    /** This many replies must be the same before all others are compared with one of them. */
    private const SAMPLES = 3;

    /** A page of "38 KB" may be longer or shorter by this share. */
    private const SIZE = 0.1;

    /** The first requests fill the opcode cache and the page store. */
    private const PREPARATIONS = 5;

    public function refuses(Definition $subject): ?string
    {
        return $subject->can(SitePage::class) ? null : 'not a page';
    }

    public function prepare(Job $job, Definition $subject): void
    {
        [$page, $url] = self::address($job, $subject);
        for ($request = 0; $request < self::PREPARATIONS; ++$request) {
            Connection::fetch($url, headers: $page->asking);
        }
        $page->close();
    }

    public function target(Job $job, Definition $subject): Target
    {
        [$page, $url, $kind] = self::address($job, $subject);
        $reply = self::page($url, $page->asking);
        if (\is_int($kind) && abs(\strlen($reply->body) - $kind * 1000) > $kind * 1000 * self::SIZE) {
            throw new WrongReply(\sprintf('%s: %d bytes are no page of %d KB', $url, \strlen($reply->body), $kind));
        }
        $original = $page->original($kind);
        if ($original !== null && $original !== $url && self::page($original)->body !== self::plain($reply)) {
            throw new WrongReply(\sprintf('%s: it is not the page that the application makes, at %s', $url, $original));
        }
        $pids = [];
        foreach ($job->endpoints as $endpoint) {
            $pids = [...$pids, ...$endpoint->pids];
        }
        $target = new Target(
            $url,
            $reply->body,
            self::spelled($page->headers, $reply),
            $pids,
            asking: $page->asking,
        );
        $page->close();
        for ($sample = 0; $sample < self::SAMPLES; ++$sample) {
            $fault = $target->fault($sample === 0 ? $reply : self::page($url, $target->asking));
            if ($fault !== null) {
                throw new WrongReply(\sprintf('%s: %s', $url, $fault));
            }
        }

        return $target;
    }

    /** @param list<string> $asking */
    private static function page(string $url, array $asking = []): Response
    {
        $reply = Connection::fetch($url, headers: $asking);

        return $reply->status === 200 && $reply->body !== ''
            ? $reply
            : throw new Failed(
                \sprintf(
                    '%s: status %d with %d bytes, %s',
                    $url,
                    $reply->status,
                    \strlen($reply->body),
                    Target::excerpt($reply->body),
                ),
            );
    }

    private static function plain(Response $reply): string
    {
        return $reply->header('Content-Encoding') === 'gzip' ? (string) @gzdecode($reply->body) : $reply->body;
    }

    /** @return array{SitePage, string, int|string|null} its address, and its size or its kind if one is asked for */
    private static function address(Job $job, Definition $subject): array
    {
        $page = ($subject->make)();
        if (!$page instanceof SitePage) {
            throw new NotApplicable('not a page');
        }
        $page->connect($job->context());
        $kind = match (true) {
            isset($job->parameters['size']) => $job->int('size', 0),
            isset($job->parameters['parts']) => $job->int('parts', 0) . '-parts',
            default => null,
        };
        $url = $kind === null ? $page->url() : $page->sized($kind);

        return [$page, $url ?? throw new NotApplicable('no page of ' . (\is_int($kind) ? "$kind KB" : $kind)), $kind];
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array<string, string> names as the server writes them, since the script in wrk compares them
     */
    private static function spelled(array $headers, Response $reply): array
    {
        $spelled = [];
        foreach ($headers as $name => $value) {
            $spelled[$reply->spelling($name) ?? $name] = $value;
        }

        return $spelled;
    }
}
