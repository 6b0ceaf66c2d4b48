<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;

/** Asks for hot pages, plain, compressed and conditionally, and judges every reply. */
final class PageReader
{
    /** @var array<string, array{etag: string, text: string}> by URI and kind of request */
    private array $known = [];

    /**
     * @param int $number of this reader on the board
     * @param int $host   that the connection leads to
     */
    public function __construct(
        private readonly Connection $connection,
        private readonly HotItems $items,
        private readonly Board $board,
        private readonly int $number,
        private readonly Findings $findings,
        private readonly int $host = 0,
    ) {}

    public function read(): void
    {
        $uri = $this->uri();
        $gzip = random_int(0, 1) === 1;
        $kind = ($gzip ? 'gzip ' : 'plain ') . $uri;
        $known = random_int(0, 1) === 1 ? $this->known[$kind] ?? null : null;
        $headers = $gzip ? ['Accept-Encoding: gzip'] : [];
        if ($known !== null) {
            $headers[] = 'If-None-Match: ' . $known['etag'];
        }
        $write = $this->board->get(Mark::Flushed);
        [$deployed, $reloaded] = [$this->board->get(Mark::Deployed), $this->board->get(Mark::Reloaded, $this->host)];
        $before = $this->items->states();
        $reply = $this->connection->request($uri, $headers);
        $after = $this->items->states();
        if ($reply === null || $reply->status >= 500) {
            $this->count(PageCount::Unanswered);

            return;
        }
        $text = $this->text($reply, $known);
        $status = $reply->headers['cache-status'] ?? '';
        if ($text === null) {
            $this->count(PageCount::Wrong);
            $this->findings->add("$uri gave {$reply->status} " . json_encode($reply->headers));

            return;
        }
        $this->count(PageCount::Reads);
        $isHit = str_contains($status, 'hit');
        $this->count(PageCount::Hits, $isHit);
        $this->count(PageCount::NotModified, $reply->status === 304);
        $this->count(PageCount::Compressed, isset($reply->headers['content-encoding']));
        $wrong = PageJudge::of($uri, $text, $before, $after)
            ?? PageJudge::ofMarks($uri, $text, $isHit ? $deployed : $reloaded, $write);
        if ($wrong !== null) {
            $this->count(PageCount::Stale);
            $where = $this->host > 0 ? ' on host ' . ($this->host + 1) : '';
            $this->findings->add("$wrong ({$reply->status} $status)$where");
        }
        if (isset($reply->headers['etag'])) {
            $this->known[$kind] = ['etag' => $reply->headers['etag'], 'text' => $text];
        } else {
            unset($this->known[$kind]);
        }
    }

    private function count(PageCount $what, bool $if = true): void
    {
        $this->board->add($what, $if ? 1 : 0, $this->number);
    }

    /** @param array{etag: string, text: string}|null $known */
    private function text(Response $reply, ?array $known): ?string
    {
        if ($reply->status === 304) {
            return $known['text'] ?? null;
        }
        if ($reply->status !== 200) {
            return null;
        }
        $text = isset($reply->headers['content-encoding']) ? @gzdecode($reply->body) : $reply->body;

        return $text === false ? null : $text;
    }

    private function uri(): string
    {
        $dice = random_int(1, 100);
        $category = HotItems::CATEGORIES[array_rand(HotItems::CATEGORIES)];

        return match (true) {
            $dice <= 60 => '/news/' . $this->items->ids[array_rand($this->items->ids)],
            $dice <= 80 => '/category/' . $category,
            $dice <= 90 => '/feed/' . $category,
            $dice <= 95 => '/feed',
            default => '/',
        };
    }
}
