<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Chart;
use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/**
 * "Which to take", out of one run's figures and nothing else.
 *
 * A question that the run's intervals are too wide for is counted and left out.
 */
final readonly class Guide
{
    /** Topic, subject, rival, question, and what the figures do not say. */
    private const CONTESTS = [
        [
            'predis',
            'phpredis',
            'predis',
            'phpredis or Predis?',
            'Predis is plain PHP and needs no extension; this is what that costs.',
        ],
        ['extension', 'memcached', 'memcache', 'ext-memcached or pecl-memcache?', null],
        ['store', 'memcached', 'phpredis', 'memcached or Redis, by their C clients?', null],
        ['tuning', 'memcached-tuned', 'memcached', 'Is it worth tuning ext-memcached?', null],
        ['protocol', 'memcached-binary', 'memcached', 'The binary protocol of memcached?', null],
        ['udp', 'memcache-udp', 'memcache', 'UDP to memcached?', null],
        ['socket', 'phpredis-unix', 'phpredis', 'A unix socket for Redis?', null],
        [
            'local',
            'apcu',
            'memcached',
            'APCu, where one host is enough?',
            'APCu is shared by the processes of one php-fpm master only.',
        ],
        [
            'file',
            'file',
            'memcached',
            'When is a file enough?',
            'The files are in the page cache: no disk is in these figures.',
        ],
        ['cache of SQL', 'memcached', 'mariadb', 'Does a cache in front of SQL pay?', null],
        ['sql', 'mariadb-prepared', 'mariadb', 'Prepared statements?', null],
        ['sql', 'mariadb-handler', 'mariadb', 'HANDLER instead of SELECT?', null],
        ['sql', 'handlersocket', 'mariadb', 'HandlerSocket instead of SQL?', null],
        ['sql and cache', 'handlersocket', 'memcached', 'HandlerSocket instead of a cache?', null],
    ];

    /** @return list<Advice> questions that this run has figures for */
    public function advice(Document $document): array
    {
        return [
            ...array_values(
                array_filter(
                    $this->questions($document),
                    static fn(Advice|string $question): bool => !\is_string($question),
                ),
            ),
            ...(new Findings())->advice($document),
        ];
    }

    /** @return list<string> what the guide goes by, a sentence each */
    public function terms(Document $document): array
    {
        $open = \count(
            array_filter(
                $this->questions($document),
                static fn(Advice|string $question): bool => \is_string($question),
            ),
        );

        return [
            'Ratios are taken block by block within one chart. A subject is faster or slower when the whole interval '
                . 'of the ratio lies beyond 1, and equal when the whole interval lies within 5 % of 1.',
            ...(
                $open === 0
                    ? []
                    : [
                        \sprintf(
                            '%s left out, since the intervals of this run are too wide for an answer.',
                            Figures::count($open, 'question is', 'questions are'),
                        ),
                    ]
            ),
            ...array_map(
                static fn(string $subject, Chart $chart): string => \sprintf(
                    '%s gave a wrong reply (%s) and ranks nowhere.',
                    $subject,
                    Figures::title($chart),
                ),
                array_keys($document->wrong()),
                array_values($document->wrong()),
            ),
        ];
    }

    /** @return list<Advice|string> a question alone where the run cannot answer it */
    private function questions(Document $document): array
    {
        return [...$this->contests($document), ...$this->instances($document), ...$this->pages($document)];
    }

    /** @return list<Advice|string> */
    private function contests(Document $document): array
    {
        $advice = [];
        foreach (self::CONTESTS as [$topic, $subject, $with, $question, $remark]) {
            $advice[] = self::contest($document, $topic, $subject, $with, $question, $remark);
        }

        return array_values(array_filter($advice, static fn(Advice|string|null $one): bool => $one !== null));
    }

    private static function contest(
        Document $document,
        string $topic,
        string $subject,
        string $with,
        string $question,
        ?string $remark = null,
    ): Advice|string|null {
        $contest = Contest::between($document, $subject, $with);
        $best = $contest->best();
        if ($best === null || !$contest->isAnswered()) {
            return $best === null ? null : $question;
        }
        $answer = implode(' ', array_filter([$contest->sentence(), $contest->cpu(), $remark], is_string(...)));

        return new Advice(
            $topic,
            $question,
            $answer,
            $contest->ids(),
            $contest->strength(),
            Figures::comparison($best[1]),
        );
    }

    /** @return list<Advice|string> `phpredis@2` against `phpredis` */
    private function instances(Document $document): array
    {
        $advice = [];
        foreach ($document->subjects as $sheet) {
            [$base, $count] = explode('@', $sheet->subject . '@');
            if ($count !== '' && $sheet->role === Role::Contender) {
                $advice[] = self::contest(
                    $document,
                    'instances',
                    $sheet->subject,
                    $base,
                    \sprintf('%s servers behind %s instead of one?', $count, $base),
                );
            }
        }

        return array_values(array_filter($advice, static fn(Advice|string|null $one): bool => $one !== null));
    }

    /** @return list<Advice|string> pages from the store against pages made anew */
    private function pages(Document $document): array
    {
        $advice = [];
        foreach ($document->subjects as $hit) {
            foreach ($document->subjects as $made) {
                if (
                    preg_match('/page.*-(hit|stored)$/', $hit->subject) === 1
                    && preg_match('/page.*-(uncached|app|site)$/', $made->subject) === 1
                ) {
                    $advice[] = self::contest(
                        $document,
                        'pages',
                        $hit->subject,
                        $made->subject,
                        'What does a stored page save?',
                        'It is the share of hits that decides how much of this a site gets.',
                    );
                }
            }
        }

        return array_values(array_filter($advice, static fn(Advice|string|null $one): bool => $one !== null));
    }
}
