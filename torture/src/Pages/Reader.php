<?php

declare(strict_types=1);

namespace Larder\Torture\Pages;

use Larder\Testbed\Http\Connection;

/** Asks for hot pages, plain, compressed and conditionally, and judges every answer. */
final class Reader
{
    /** @var array<string, array{etag: string, text: string}> by URI, and kind of request */
    private array $known = [];

    private ReaderTally $tally;

    public function __construct(
        private readonly Connection $connection,
        private readonly HotItems $items,
    ) {
        $this->tally = new ReaderTally();
    }

    public function read(): void
    {
        $uri = $this->uri();
        $gzip = random_int(0, 1) === 1;
        $kind = ($gzip ? 'gzip ' : 'plain ') . $uri;
        $known = random_int(0, 1) === 1 ? $this->known[$kind] ?? null : null;
        $headers = [...($gzip ? ['Accept-Encoding: gzip'] : []), ...($known === null ? [] : ['If-None-Match: ' . $known['etag']])];

        $before = $this->items->states();
        $answer = $this->connection->get($uri, $headers);
        $after = $this->items->states();
        if ($answer === null || $answer['status'] >= 500) {
            ++$this->tally->unanswered;

            return;
        }
        $text = $this->text($answer, $known);
        if ($text === null) {
            $this->tally->wrong(\sprintf('%s answered %d %s', $uri, $answer['status'], json_encode($answer['headers'])));

            return;
        }
        ++$this->tally->reads;
        $this->tally->hits += str_contains($answer['headers']['cache-status'] ?? '', 'hit') ? 1 : 0;
        $this->tally->notModified += $answer['status'] === 304 ? 1 : 0;
        $this->tally->compressed += isset($answer['headers']['content-encoding']) ? 1 : 0;
        $wrong = Verdict::on($uri, $text, $before, $after);
        if ($wrong !== null) {
            $this->tally->stale(\sprintf('%s (%d %s)', $wrong, $answer['status'], $answer['headers']['cache-status'] ?? ''));
        }
        if (isset($answer['headers']['etag'])) {
            $this->known[$kind] = ['etag' => $answer['headers']['etag'], 'text' => $text];
        } else {
            unset($this->known[$kind]);
        }
    }

    public function tally(): ReaderTally
    {
        return $this->tally;
    }

    /**
     * @param array{status: int, headers: array<string, string>, body: string} $answer
     * @param array{etag: string, text: string}|null                          $known
     */
    private function text(array $answer, ?array $known): ?string
    {
        if ($answer['status'] === 304) {
            return $known['text'] ?? null;
        }
        if ($answer['status'] !== 200) {
            return null;
        }
        $text = isset($answer['headers']['content-encoding']) ? @gzdecode($answer['body']) : $answer['body'];

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
