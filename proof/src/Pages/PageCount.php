<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

/** What readers, writers and the deployer count. */
enum PageCount
{
    case Reads;
    case Hits;
    case NotModified;
    case Compressed;
    /** Requests whose php-fpm worker was killed, or that nginx answered with 5xx. */
    case Unanswered;
    case Stale;
    /** Replies that are no page at all. */
    case Wrong;
    /** Changes whose writer lived to see them committed. */
    case Changes;
    /** Changes that failed, and were rolled back, since a server of the pages was away. */
    case ChangesRefused;
    case Deploys;
    /** Runs of `larder deploy` that were killed before they had ended. */
    case DeploysKilled;
    case Flushes;
    /** Runs of `larder deploy` and `larder flush` that failed since a server of the pages was away. */
    case LarderRefused;
    /** Deployments whose registry differs from the one before. */
    case RegistryChanges;
    case Reloads;
}
