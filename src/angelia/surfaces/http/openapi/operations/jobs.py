"""Jobs: work that is due at times, and each of their firings."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import STARTING
from angelia.surfaces.http.openapi.operation import (
    START_HEADERS,
    Answer,
    Json,
    Operation,
    ok,
    path,
    query,
)
from angelia.surfaces.http.openapi.shapes import Schema
from angelia.wire.jobs import shapes as wire

TAG = "jobs"
WRITE = ("runs",)
READ = ("runs", "read")
NOT_FOUND = "job_not_found"

JOB_ID = path("job_id", "The id of a job.")
STATUSES = Schema(enum=("active", "paused", "finished"))

OPERATIONS = (
    Operation(
        method="get",
        path="/api/jobs",
        id="listJobs",
        tag=TAG,
        summary="Jobs, newest first",
        scopes=READ,
        parameters=(
            parameters.limit(),
            parameters.after("job"),
            query("status", "Only jobs with this status.", STATUSES),
            query("user", "Only those of this end user.", parameters.TEXT),
        ),
        answers=(ok(Json(wire.JobsOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/api/jobs",
        id="createJob",
        tag=TAG,
        summary="Make a job: what to ask, and when",
        scopes=WRITE,
        parameters=(parameters.SESSION_KEY, parameters.USER_TOKEN),
        body=wire.CreateJobIn,
        answers=(Answer(201, "It is made.", (Json(wire.JobOut),)),),
        refusals=("model_not_found", "invalid_user_token", "too_many_jobs"),
    ),
    Operation(
        method="get",
        path="/api/jobs/{job_id}",
        id="getJob",
        tag=TAG,
        summary="One job, with its next times",
        scopes=READ,
        parameters=(JOB_ID,),
        answers=(ok(Json(wire.JobOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="patch",
        path="/api/jobs/{job_id}",
        id="changeJob",
        tag=TAG,
        summary="Change what a job asks, or when",
        scopes=WRITE,
        parameters=(JOB_ID,),
        body=wire.ChangeJobIn,
        answers=(ok(Json(wire.JobOut)),),
        refusals=(NOT_FOUND, "model_not_found"),
    ),
    Operation(
        method="delete",
        path="/api/jobs/{job_id}",
        id="deleteJob",
        tag=TAG,
        summary="Remove a job; its runs stay",
        scopes=WRITE,
        parameters=(JOB_ID,),
        answers=(ok(Json(wire.JobDeletedOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/api/jobs/{job_id}/pause",
        id="pauseJob",
        tag=TAG,
        summary="Let a job rest",
        scopes=WRITE,
        parameters=(JOB_ID,),
        answers=(ok(Json(wire.JobOut)),),
        refusals=(NOT_FOUND, "job_finished"),
    ),
    Operation(
        method="post",
        path="/api/jobs/{job_id}/resume",
        id="resumeJob",
        tag=TAG,
        summary="Let a job go on from here",
        scopes=WRITE,
        parameters=(JOB_ID,),
        answers=(ok(Json(wire.JobOut)),),
        refusals=(NOT_FOUND, "job_finished"),
    ),
    Operation(
        method="post",
        path="/api/jobs/{job_id}/run",
        id="runJob",
        tag=TAG,
        summary="Run a job now, whatever its schedule",
        scopes=WRITE,
        parameters=(JOB_ID, parameters.IDEMPOTENCY_KEY),
        answers=(Answer(202, "It is under way.", (Json(wire.FiredOut),), START_HEADERS),),
        refusals=(NOT_FOUND, *STARTING),
    ),
    Operation(
        method="get",
        path="/api/jobs/{job_id}/runs",
        id="listFirings",
        tag=TAG,
        summary="The firings of a job with their runs, newest first",
        scopes=READ,
        parameters=(JOB_ID, parameters.limit(), parameters.after("firing")),
        answers=(ok(Json(wire.FiringsOut)),),
        refusals=(NOT_FOUND, "firing_not_found"),
    ),
)
