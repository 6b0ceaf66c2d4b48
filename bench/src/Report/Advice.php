<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** An answer of the guide, with the figures it rests on. */
final readonly class Advice
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

    /**
     * @param string       $topic    advice of one topic says much the same, so that a short list takes one of each
     * @param string       $question as a reader would ask it: "phpredis or Predis?"
     * @param string       $answer   sentences, each with its figures
     * @param list<string> $charts   ids of those it rests on, the most telling first
     * @param float        $strength how far the best evidence's interval keeps from "no difference", as a logarithm
     * @param string|null  $figure   the best evidence by itself: "4.05 (3.98–4.12)"
     */
    public function __construct(
        public string $topic,
        public string $question,
        public string $answer,
        public array $charts,
        public float $strength = 0.0,
        public ?string $figure = null,
    ) {}

    /** @return list<self|string> a question alone where the run cannot answer it */
    public static function questions(Document $document): array
    {
        return [...self::contests($document), ...self::instances($document), ...self::pages($document)];
    }

    /** @return list<self|string> */
    private static function contests(Document $document): array
    {
        $advice = [];
        foreach (self::CONTESTS as [$topic, $subject, $with, $question, $remark]) {
            $advice[] = self::contest($document, $topic, $subject, $with, $question, $remark);
        }

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }

    private static function contest(
        Document $document,
        string $topic,
        string $subject,
        string $with,
        string $question,
        ?string $remark = null,
    ): self|string|null {
        $contest = new Contest($document, $subject, $with);
        $best = $contest->best();
        if ($best === null || !$contest->isAnswered()) {
            return $best === null ? null : $question;
        }
        $answer = implode(' ', array_filter([$contest->sentence(), $contest->cpu(), $remark], is_string(...)));

        return new self(
            $topic,
            $question,
            $answer,
            $contest->ids(),
            $contest->strength(),
            Figures::comparison($best[1]),
        );
    }

    /** @return list<self|string> `phpredis@2` against `phpredis` */
    private static function instances(Document $document): array
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

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }

    /** @return list<self|string> pages from the store against pages made anew */
    private static function pages(Document $document): array
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

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }
}
